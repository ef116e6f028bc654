import { findOrCreateActorSession, SYSTEM } from '../../server/actor-sessions/store.ts'
import { readOrCreateEncryptionKeys } from '../../server/processors/encryption-keys.ts'
import { secretPurpose } from '../../server/processors/connect.ts'
import { encrypt, type EncryptionKeys } from '../../server/encryption.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Db, Tables } from '../../server/db/tables.ts'
import { newId } from '../../server/ids.ts'
import type { Processor } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import type { StripeFake } from './start.ts'

export const ENCRYPTION_KEYS: EncryptionKeys = [Buffer.alloc(32, 7)]

/** Settings of a server whose Stripe is the fake. Pages load Stripe.js from `scriptUrl`. */
export function stripeEnvironment(
  fake: Pick<StripeFake, 'url'>,
  scriptUrl = `${fake.url}/stripe.js`,
): Record<string, string> {
  return {
    STRIPE_API_URL: fake.url,
    STRIPE_JS_URL: scriptUrl,
    CHECKSTAND_ENCRYPTION_KEY: ENCRYPTION_KEYS[0].toString('base64'),
  }
}

type FakeKeys = Pick<StripeFake, 'secretKey' | 'publishableKey'>

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
 * Connects an instance, by default the first, of a program that was started with `stripeEnvironment` on
 * another process's database. Returns the connection's id.
 */
export async function connectProgram(
  databaseUrl: string,
  fake: FakeKeys,
  instanceId?: string,
): Promise<string> {
  const { db, close } = await openDatabase<Tables>(databaseUrl)
  const first = db.selectFrom('instances').select('id').orderBy('id')
  const instance_id = instanceId ?? (await first.executeTakeFirstOrThrow()).id
  const connection = { instance_id, keys: ENCRYPTION_KEYS, created: Date.now() }
  const id = await insertStripeConnection(db, connection, fake, {})
  await close()
  return id
}

/** Inserts the row of a connection; `created` is in epoch milliseconds. Returns its id. */
export async function insertStripeConnection(
  db: Db,
  {
    instance_id,
    keys,
    created: at,
    webhookSecret,
  }: {
    instance_id: string
    keys: EncryptionKeys
    created: number
    webhookSecret?: string | undefined
  },
  { publishableKey, secretKey }: FakeKeys,
  settings: object,
): Promise<string> {
  const id = newId('pr', at)
  const created = new Date(at).toISOString()
  await db
    .insertInto('processor_connections')
    .values({
      id,
      instance_id,
      name: 'stripe',
      status: 'ACTIVE',
      publishable_key: publishableKey,
      secret_key: encrypt(keys, secretKey, secretPurpose({ id }, 'secret_key')),
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
  return id
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
