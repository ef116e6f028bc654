import { readConfig } from '../server/config.ts'
import type { FailpointName } from '../server/failpoint.ts'
import { type Checkstand, createCheckstand } from '../server/index.ts'
import { createLog } from '../server/observe/log.ts'
import { MIGRATED } from './app.ts'
import { type Client, createHttpClient, type MerchantClient } from './client.ts'
import { openTestDatabase } from './database.ts'
import { startProgram } from './program.ts'

/** Reached only with a processor that takes several calls for a payment. */
export const BETWEEN_CALLS = ['processor-begun', 'processor-confirmed'] as const

/** How far the recovered server's clock is ahead: leases and delays of the killed one are over. */
const RECOVERY_DELAY_MS = 120_000
/** Long enough for a busy machine, and over well before the recovered server's clock. */
const PROCESSOR_TIMEOUT_MS = '20000'

export type HttpServer = Client & MerchantClient

export interface CrashServer extends HttpServer {
  databaseUrl: string
  /** Resolves with the signal or exit code that ended the process. */
  ended: Promise<number | string | null>
  /** Starts the product again on the same database, with a later clock. */
  recover: () => Promise<RecoveredServer>
}

export interface RecoveredServer extends HttpServer {
  checkstand: Checkstand
}

/** Starts the program on a new database, to be killed at a failpoint. Both end with the test. */
export async function startCrashServer(
  point: FailpointName,
  onTestFinished: (end: () => Promise<void>) => void,
  env: Record<string, string> = {},
): Promise<CrashServer> {
  const database = await openTestDatabase(MIGRATED, (clean) =>
    onTestFinished(async () => void (await clean())),
  )
  const program = await startProgram(database.url, {
    CHECKSTAND_FAILPOINT: `${point}:kill`,
    PROCESSOR_TIMEOUT_MS,
    ...env,
  })
  onTestFinished(async () => {
    program.process.kill('SIGKILL')
    await program.ended
  })
  return {
    ...createHttpClient(program.base),
    databaseUrl: database.url,
    ended: program.ended,
    async recover() {
      const checkstand = await createCheckstand({
        config: readConfig({
          PORT: '0',
          BASE_URL: program.base,
          DATABASE_URL: database.url,
          PROCESSOR_TIMEOUT_MS,
          PAYER_PAUSE_MS: '0',
          API_RATE: '0',
          ...env,
        }),
        now: () => Date.now() + RECOVERY_DELAY_MS,
        log: createLog('silent'),
      })
      onTestFinished(() => checkstand.close())
      const base = `http://127.0.0.1:${await checkstand.start()}`
      return { checkstand, ...createHttpClient(base) }
    },
  }
}

/** What the sandbox has recorded, in minor units, one entry for each movement of money. */
export interface MovedMoney {
  charged: number[]
  refunded: number[]
  released: number[]
}

export async function movedMoneyOf({ checkstand }: RecoveredServer): Promise<MovedMoney> {
  const amounts = async (table: 'sandbox_charges' | 'sandbox_refunds' | 'sandbox_voids') => {
    const rows = await checkstand.deps.db
      .withTables<Record<typeof table, { amount: number }>>()
      .selectFrom(table)
      .select('amount')
      .execute()
    return rows.map(({ amount }) => amount)
  }
  return {
    charged: await amounts('sandbox_charges'),
    refunded: await amounts('sandbox_refunds'),
    released: await amounts('sandbox_voids'),
  }
}
