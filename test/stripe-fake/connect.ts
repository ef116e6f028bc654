import type { Processor } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Tables } from '../../server/db/tables.ts'
import type { StripeFake } from './start.ts'
import { type Keys, storeStripeConnection, stripeEnvironment } from './store-connection.ts'

export { stripeEnvironment } from './store-connection.ts'

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
  fake: Keys,
  settings: object = {},
): Promise<{ id: string; processor: Processor }> {
  const { deps } = app.checkstand
  const instance_id = merchant.instance.id
  const id = await storeStripeConnection({ ...deps, now: app.now() }, instance_id, fake, settings)
  deps.processors.invalidate({ id, instance_id })
  const processor = await deps.processors.get({ processor: id, instance_id })
  if (!processor) throw new Error('the connection cannot be used')
  return { id, processor }
}

/**
 * Connects an instance, by default the only one, of a program that was started with
 * `stripeEnvironment` on a database. Returns the connection's id.
 */
export async function connectProgram(
  databaseUrl: string,
  fake: Keys & Pick<StripeFake, 'url'>,
  instanceId?: string,
): Promise<string> {
  const config = readConfig({ ...stripeEnvironment(fake), DATABASE_URL: databaseUrl })
  const { db, close } = await openDatabase<Tables>(databaseUrl)
  const id =
    instanceId ?? (await db.selectFrom('instances').select('id').executeTakeFirstOrThrow()).id
  const connection = await storeStripeConnection({ db, config, now: Date.now() }, id, fake)
  await close()
  return connection
}

/**
 * Gives a merchant a connection that has been disabled, so that the sandbox still serves it. Returns the
 * connection's id.
 */
export async function connectDisabled(app: TestApp, merchant: Merchant): Promise<string> {
  const { deps } = app.checkstand
  const fake = { publishableKey: 'pk_test_51Disabled', secretKey: 'sk_test_51Disabled' }
  // Its keys are never used.
  const config = { ...deps.config, encryptionKeys: [Buffer.alloc(32)] as const }
  const id = await storeStripeConnection(
    { db: deps.db, config, now: app.now() },
    merchant.instance.id,
    fake,
  )
  await deps.db
    .updateTable('processor_connections')
    .set({ status: 'DISABLED' })
    .where('id', '=', id)
    .execute()
  return id
}
