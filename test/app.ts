import { randomUUID } from 'node:crypto'
import type { Instance } from '../server/db/tables/instances.ts'
import { type Checkstand, type CheckstandOptions, createCheckstand } from '../server/index.ts'
import { readConfig } from '../server/config.ts'
import { migrate } from '../server/db/migrate.ts'
import { openDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { createInstance, type NewInstance } from '../server/admin/create-instance.ts'
import { createLog } from '../server/observe/log.ts'
import { atEnd } from './at-end.ts'
import { BASE, type Client, createCaller, merchantApi, type MerchantClient } from './client.ts'
import { openTestDatabase, type Template } from './database.ts'

export { type ApiResponse, BASE, basic, type Call, createCaller, merchantApi } from './client.ts'

/** A database with the product's tables and nothing in them. */
export const MIGRATED: Template = {
  name: 'checkstand',
  async prepare(url) {
    const opened = await openDatabase<Tables>(url)
    await migrate(opened.db)
    await opened.close()
  },
}

export interface Merchant extends MerchantClient {
  instance: Instance
  secretKey: string
}

/** The whole product in this process, on a database of its own and with a clock that tests move. */
export interface TestApp extends Client {
  checkstand: Checkstand
  merchant: Merchant
  newMerchant: (members?: Partial<NewInstance>) => Promise<Merchant>
  /** Epoch milliseconds of the clock, which stands still. */
  now: () => number
  /** Moves the clock; milliseconds. */
  pass: (ms: number) => void
  /** Every line that was logged. */
  logged: () => string
}

/**
 * Starts an app for the tests of a file, and closes it after them. `settings` are environment
 * variables. Payers may submit at once, because the clock stands still.
 */
export async function startTestApp(
  settings: Record<string, string> = {},
  options: Pick<CheckstandOptions, 'hasDiskSpace' | 'busyMs'> = {},
): Promise<TestApp> {
  const database = await openTestDatabase(MIGRATED)
  let clock = Date.parse('2030-05-01T12:00:00.000Z')
  const lines: string[] = []
  const checkstand = await createCheckstand({
    config: readConfig({
      BASE_URL: BASE,
      DATABASE_URL: database.url,
      PAYER_PAUSE_MS: '0',
      API_RATE: '0',
      ...settings,
    }),
    now: () => clock,
    log: createLog('trace', { write: (line: string) => lines.push(line) }),
    ...options,
  })
  atEnd(() => checkstand.close())
  const call = createCaller(checkstand)
  const newMerchant = async (members: Partial<NewInstance> = {}): Promise<Merchant> => {
    const { instance, secretKey } = await createInstance(checkstand.deps, {
      merchant: `Merchant ${randomUUID()}`,
      key: 'default',
      name: 'Corner Shop',
      ...members,
    })
    return { instance, secretKey, api: merchantApi(call, { instance, secretKey }) }
  }
  return {
    checkstand,
    call,
    merchant: await newMerchant(),
    newMerchant,
    now: () => clock,
    pass: (ms) => {
      clock += ms
    },
    logged: () => lines.join(''),
  }
}

/** Opens a copy of an app's database as the same shop, at the same time, until the test ends. */
export async function reopenShop(app: TestApp, databaseUrl: string) {
  const checkstand = await createCheckstand({
    config: readConfig({ BASE_URL: BASE, DATABASE_URL: databaseUrl, PAYER_PAUSE_MS: '0' }),
    now: app.now,
    log: createLog('silent'),
  })
  atEnd(() => checkstand.close())
  return { deps: checkstand.deps, api: merchantApi(createCaller(checkstand), app.merchant) }
}
