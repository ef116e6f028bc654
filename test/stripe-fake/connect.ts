import type { Processor } from '../../server/processors/port.ts'
import type { Merchant, TestApp } from '../app.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Tables } from '../../server/db/tables.ts'
import type { StripeFake } from './start.ts'
import { type Keys, storeStripeConnection, stripeEnvironment } from './store-connection.ts'

export { stripeEnvironment } from './store-connection.ts'

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
