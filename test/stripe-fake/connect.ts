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
 * Connects a merchant of a server that was started with `stripeEnvironment` to the fake, without asking
 * the fake. Returns the adapter and the connection's id.
 */
export async function connectStripe(
  app: TestApp,
  merchant: Merchant,
  fake: Pick<StripeFake, 'secretKey' | 'publishableKey'>,
  settings: object = {},
  webhookSecret?: string,
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
      webhook_secret:
        webhookSecret === undefined
          ? null
          : encrypt(keys, webhookSecret, secretPurpose({ id }, 'webhook_secret')),
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
