import { readConfig } from '../server/config.ts'
import type { FailpointName } from '../server/failpoint.ts'
import { type Checkstand, createCheckstand } from '../server/index.ts'
import { createLog } from '../server/observe/log.ts'
import { expectDocumented } from './openapi/expect-documented.ts'
import { basic, MIGRATED } from './app.ts'
import { openTestDatabase } from './database.ts'
import type { Json } from './payments-client.ts'
import { PROGRAM_KEY, startProgram } from './program.ts'

/** A server that is going to be killed at a named point, and the one that is started after it. */

/** How much later the second server believes it is: leases and waits of the first have run out. */
const RECOVERY_DELAY_MS = 120_000
/** Long enough for a busy machine, and over long before the second server's clock. */
const CALLS_MS = '20000'

/** Where requests go at this moment. */
export interface HttpServer {
  base: string
}

export interface CrashServer extends HttpServer {
  databaseUrl: string
  /** Resolves with what ended the process. */
  ended: Promise<number | string | null>
  /** The product on the same database, begun anew with a later clock. */
  recover: () => Promise<RecoveredServer>
}

export interface RecoveredServer extends HttpServer {
  checkstand: Checkstand
}

/** Starts the program on a database of its own; what is left of it goes when the test is over. */
export async function startCrashServer(
  point: FailpointName,
  onTestFinished: (end: () => Promise<void>) => void,
  env: Record<string, string> = {},
): Promise<CrashServer> {
  const database = await openTestDatabase(MIGRATED)
  onTestFinished(() => database.drop())
  const program = await startProgram(database.url, {
    CHECKSTAND_FAILPOINT: `${point}:kill`,
    PROCESSOR_TIMEOUT_MS: CALLS_MS,
    ...env,
  })
  onTestFinished(async () => {
    program.process.kill('SIGKILL')
    await program.ended
  })
  return {
    base: program.base,
    databaseUrl: database.url,
    ended: program.ended,
    async recover() {
      const checkstand = await createCheckstand({
        config: readConfig({
          PORT: '0',
          BASE_URL: program.base,
          DATABASE_URL: database.url,
          PROCESSOR_TIMEOUT_MS: CALLS_MS,
          PAYER_PAUSE_MS: '0',
          API_RATE: '0',
        }),
        now: () => Date.now() + RECOVERY_DELAY_MS,
        log: createLog('silent'),
      })
      onTestFinished(() => checkstand.close())
      return { checkstand, base: `http://127.0.0.1:${await checkstand.start()}` }
    },
  }
}

export interface HttpResponse {
  status: number
  json: Json
}

/** Sends JSON, or reads; with no `authorization` it comes from nobody. */
export async function send(
  { base }: HttpServer,
  path: string,
  call: { body?: object; headers?: Record<string, string>; method?: string } = {},
): Promise<HttpResponse> {
  const { body, headers, method = body ? 'POST' : 'GET' } = call
  const response = await fetch(`${base}${path}`, {
    method,
    // A connection that was kept could be one that its server is just about to give up.
    headers: {
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expectDocumented({
    method,
    path,
    requestHeaders: new Headers({
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    }),
    requestBody: body ? JSON.stringify(body) : '',
    status: response.status,
    headers: response.headers,
    text,
  })
  return { status: response.status, json: text === '' ? null : JSON.parse(text) }
}

/** Calls the merchant's API; a POST goes under `key`, so that it can be sent again. */
export function api(
  site: HttpServer,
  path: string,
  body?: object,
  key = 'the-one',
): Promise<HttpResponse> {
  return send(site, `/c/api/instances/default${path}`, {
    ...(body && { body }),
    headers: { authorization: basic(`${PROGRAM_KEY}:`), ...(body && { 'idempotency-key': key }) },
  })
}

/** The sandbox's token for a card. */
export async function newCardToken(site: HttpServer, number: string): Promise<string> {
  const card = { number, exp_month: 12, exp_year: 2034, csc: '123' }
  return (await send(site, '/sandbox/tokens', { body: { card } })).json.token
}

/** What the sandbox has on its books, in minor units, one entry for each time that money moved. */
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
