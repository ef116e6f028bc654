import { findOrCreateActorSession, SYSTEM } from '../../server/actor-sessions/store.ts'
import type { EncryptionKeys } from '../../server/encryption.ts'
import { readOrCreateEncryptionKeys } from '../../server/processors/encryption-keys.ts'
import type { Processor } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import type { StripeFake } from './start.ts'
import { ENCRYPTION_KEYS } from './environment.ts'
import { type FakeKeys, insertStripeConnection } from './store-connection.ts'

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
  fake: FakeKeys,
  settings: object = {},
  webhookSecret?: string,
): Promise<{ id: string; processor: Processor }> {
  const { deps } = app.checkstand
  const keys = readOrCreateEncryptionKeys(deps.config) as EncryptionKeys
  const connection = { instance_id: merchant.instance.id, keys, created: app.now() }
  const id = await insertStripeConnection(deps.db, { ...connection, webhookSecret }, fake, settings)
  deps.processors.invalidate({ id, instance_id: merchant.instance.id })
  const processor = await deps.processors.get({ processor: id, instance_id: merchant.instance.id })
  if (!processor) throw new Error('the connection cannot be used')
  return { id, processor }
}

/**
 * Gives a merchant a connection that has been disabled, so that the sandbox still serves it. Returns the
 * connection's id.
 */
export async function connectDisabled(app: TestApp, merchant: Merchant): Promise<string> {
  const { deps } = app.checkstand
  const { db } = deps
  const by = await findOrCreateActorSession(deps, merchant.instance.id, SYSTEM)
  const connection = {
    instance_id: merchant.instance.id,
    keys: ENCRYPTION_KEYS,
    created: app.now(),
  }
  const fake = { publishableKey: 'pk_test_51Disabled', secretKey: 'sk_test_51Disabled' }
  const id = await insertStripeConnection(db, connection, fake, {})
  await db
    .updateTable('processor_connections')
    .set({ status: 'DISABLED', created_session: by, updated_session: by })
    .where('id', '=', id)
    .execute()
  return id
}
