import { readOrCreateEncryptionKeys } from '../../server/processors/encryption-keys.ts'
import { secretPurpose } from '../../server/processors/connect.ts'
import { encrypt, type EncryptionKeys } from '../../server/encryption.ts'
import { newId } from '../../server/ids.ts'
import type { Processor } from '../../server/processors/port.ts'
import { type Merchant, type TestApp } from '../app.ts'
import type { StripeFake } from './start.ts'

/** Settings of a server whose Stripe is the fake. */
export function stripeEnvironment(fake: StripeFake): Record<string, string> {
  return {
    STRIPE_API_URL: fake.url,
    STRIPE_JS_URL: `${fake.url}/stripe.js`,
    CHECKSTAND_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
}

/**
 * Has the fake compile what it checks the first requests of a connection by. Before, its answers may take
 * longer than a caller waits.
 */
export async function warmUp(fake: StripeFake): Promise<void> {
  const headers = { authorization: `Bearer ${fake.secretKey}`, 'stripe-version': 'any' }
  await fetch(`${fake.url}/v1/account`, { headers })
  const body = 'url=https%3A%2F%2Fshop.test&enabled_events[0]=charge.updated'
  const post = { method: 'POST', body, headers: { ...headers, 'idempotency-key': 'warm' } }
  const made = await fetch(`${fake.url}/v1/webhook_endpoints`, post)
  const { id } = (await made.json()) as { id: string }
  await fetch(`${fake.url}/v1/webhook_endpoints/${id}`, { method: 'DELETE', headers })
}

/**
 * Connects a merchant of a server that was started with `stripeEnvironment` to the fake, without asking
 * the fake. Returns the adapter and the connection's id.
 */
export async function connectStripe(
  app: TestApp,
  merchant: Merchant,
  fake: Pick<StripeFake, 'secretKey' | 'publishableKey'>,
  settings: object = {},
): Promise<{ id: string; processor: Processor }> {
  const { deps } = app.checkstand
  const id = newId('pr', app.now())
  const keys = readOrCreateEncryptionKeys(deps.config) as EncryptionKeys
  const created = new Date(app.now()).toISOString()
  const connection = { id, instance_id: merchant.instance.id }
  await deps.db
    .insertInto('processor_connections')
    .values({
      ...connection,
      name: 'stripe',
      status: 'ACTIVE',
      publishable_key: fake.publishableKey,
      secret_key: encrypt(keys, fake.secretKey, secretPurpose({ id }, 'secret_key')),
      key_hint: 'sk_…0000',
      account: 'acct_1Fake',
      webhook_endpoint: null,
      webhook_secret: null,
      previous_webhook_secret: null,
      previous_until: null,
      last_heard: null,
      settings: JSON.stringify(settings),
      failures: 0,
      created_session: null,
      updated_session: null,
      created,
      updated: created,
      v: 1,
    })
    .execute()
  deps.processors.invalidate(connection)
  const processor = await deps.processors.get({ processor: id, instance_id: merchant.instance.id })
  if (!processor) throw new Error('the connection cannot be used')
  return { id, processor }
}
