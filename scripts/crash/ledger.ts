import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../server/db/open.ts'
import { up } from '../../server/db/migrations/0003-sandbox.ts'
import { createSandboxDisputes } from '../../server/db/migrations/0025-reversals.ts'
import { addSandboxDescriptor } from '../../server/db/migrations/0046-legal-entities.ts'
import { createSandbox, type SandboxTables } from '../../server/processors/sandbox/index.ts'
import type { Random } from '../../test/random.ts'
import type { MerchantName } from './merchants.ts'

/**
 * The processor of a crash run: the sandbox, with a database of its own in the harness's process,
 * so that its books outlive every server. It is asked over HTTP, takes its time, loses some requests
 * before and some answers after the money has moved, and performs some after their sender has timed out.
 */

export interface Ledger {
  /** Settings of the servers that use it. */
  env: Record<string, string>
  /** Connects the instances of the merchants. Returns the ids of the processors in the API. */
  connect: (
    databaseUrl: string,
    instances: Record<MerchantName, string>,
  ) => Promise<Record<MerchantName, string>>
  /** From here on every answer arrives. */
  behave: () => void
  /** Resolves once no server has a request under way. */
  idle: () => Promise<void>
  /** Returns a token of an unused card. */
  newToken: (card: string) => Promise<string>
  /** Chooses on the bank's page as a payer does. Returns the address that it redirects to. */
  choose: (url: string, choice: 'approve' | 'decline') => Promise<string | undefined>
  /** All that it has on its books. */
  books: () => Promise<LedgerEntries>
  /** Requests that no processor should ever receive. */
  problems: () => readonly string[]
  /** What stands in no file of a server that uses it. */
  secrets: () => readonly string[]
  close: () => Promise<void>
}

export interface LedgerEntries {
  operations: Pick<SandboxTables['sandbox_operations'], 'operation' | 'kind' | 'state' | 'amount'>[]
  charges: Pick<SandboxTables['sandbox_charges'], 'id' | 'amount' | 'refunded'>[]
  authorisations: Pick<
    SandboxTables['sandbox_authorisations'],
    'id' | 'reserved' | 'captured' | 'released'
  >[]
}

/** Requests that a processor has received and not answered. */
export interface Traffic {
  during: <T>(answer: Promise<T>) => Promise<T>
  idle: () => Promise<void>
}

/** Milliseconds without a request, after which a server that makes several has made them. */
const QUIET_MS = 60

export function countRequests(): Traffic {
  let underWay = 0
  let last = 0
  const isQuiet = () => underWay === 0 && performance.now() - last >= QUIET_MS
  return {
    async during(answer) {
      underWay += 1
      try {
        return await answer
      } finally {
        underWay -= 1
        last = performance.now()
      }
    },
    async idle() {
      while (!isQuiet()) await sleep(QUIET_MS / 3)
    },
  }
}

export interface LedgerOptions {
  folder: string
  random: Random
  now: () => number
  /** The share of answers that are lost. */
  lossy: number
  /** Milliseconds that an operation takes at most, before the money moves, and after. */
  latencyMs: number
}

/** An operation of the processor's port. */
export type Verb =
  | 'pay'
  | 'authorize'
  | 'capture'
  | 'refund'
  | 'void'
  | 'setup'
  | 'query'
  | 'cancel'

/** The share of requests that begin late, and the delay in milliseconds: their server may be dead by then. */
export const LATE = 0.04
export const LATE_MS = [500, 10_000] as const

/** Opens one with an empty book in `folder`. */
export async function openLedger(from: LedgerOptions): Promise<Ledger> {
  const { random, now } = from
  let { lossy } = from
  const opened = await openDatabase<SandboxTables>(`file:${from.folder}/ledger.db`)
  await up(opened.db as Parameters<typeof up>[0])
  await createSandboxDisputes(opened.db as Parameters<typeof up>[0])
  await addSandboxDescriptor(opened.db as Parameters<typeof up>[0])
  const sandbox = createSandbox({
    db: opened.db,
    now,
    baseUrl: 'http://bank.example',
    settleMs: 500,
    newToken: (prefix) => `${prefix}_${randomBytes(18).toString('base64url')}`,
  })
  const traffic = countRequests()
  const server = createServer((request, response) => {
    void traffic.during(answer(request)).then(
      (body) => {
        if (body === undefined) request.socket.destroy()
        else response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      },
      () => request.socket.destroy(),
    )
  })

  async function answer(request: IncomingMessage): Promise<string | undefined> {
    const verb = request.url?.slice(1) as Verb
    const input = JSON.parse(await text(request))
    await pause()
    if (random.chance(lossy / 2)) return undefined
    if (lossy > 0 && random.chance(LATE)) await sleep(random.between(...LATE_MS))
    const body = JSON.stringify(await sandbox[verb]?.(input))
    await pause()
    return random.chance(lossy) ? undefined : body
  }

  const pause = () => sleep(lossy === 0 ? 0 : random.between(0, from.latencyMs))

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    env: { CRASH_LEDGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    connect: async () => ({ first: 'sandbox', second: 'sandbox' }),
    problems: () => [],
    secrets: () => [],
    behave: () => (lossy = 0),
    idle: traffic.idle,
    newToken: (number) =>
      sandbox.gateway.createToken({
        card: { number, exp_month: 12, exp_year: 2034, csc: '123' },
      }),
    choose: (url, choice) => sandbox.gateway.choose(url.split('/').at(-1) ?? '', choice),
    books: async () => ({
      operations: await opened.db.selectFrom('sandbox_operations').selectAll().execute(),
      charges: await opened.db.selectFrom('sandbox_charges').selectAll().execute(),
      authorisations: await opened.db.selectFrom('sandbox_authorisations').selectAll().execute(),
    }),
    async close() {
      server.closeAllConnections()
      server.close()
      await opened.close()
    },
  }
}
