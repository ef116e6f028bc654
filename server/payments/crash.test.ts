import { it } from 'vitest'
import { openDatabase } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { basic } from '../testing/app.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Json } from '../testing/merchant.ts'
import { CARDS } from '../testing/payer.ts'
import { PROGRAM_KEY, startProgram, until } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'

/**
 * The real program, killed as a power cut would kill it while a merchant moves money, and started
 * again (safety section 3.3, I2 and I6). The merchant does what it should: it sends the same
 * request under the same key until it hears an answer.
 */

type Verb = 'pay' | 'capture' | 'refund' | 'void'

/** Where it is killed, doing what; what becomes of the operation, and of the processor's books. */
const CRASHES: [failpoint: string, verb: Verb, status: string, books: Partial<Books>][] = [
  ['attempt-stored', 'pay', 'DECLINE', {}],
  ['processor-answered', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['outcome-stored', 'pay', 'SUCCESS', { charged: [1_000] }],
  ['capture-stored', 'capture', 'DECLINE', {}],
  ['capture-answered', 'capture', 'SUCCESS', { charged: [300] }],
  ['refund-answered', 'refund', 'SUCCESS', { charged: [1_000], refunded: [300] }],
  ['void-answered', 'void', 'SUCCESS', { released: [1_000] }],
]

interface Books {
  charged: number[]
  refunded: number[]
  released: number[]
}

// At the same time, because most of each is waiting for a call that may still have been running.
it.concurrent.for(CRASHES)(
  'killed at %s, a %s is %s after the restart, and never made twice',
  { timeout: 90_000 },
  async ([failpoint, verb, status, books], { expect, onTestFinished }) => {
    const database = await openTestDatabase()
    onTestFinished(() => database.drop())
    const run = async (env: Record<string, string> = {}): Promise<Program> => {
      const program = await startProgram(database.url, { PROCESSOR_TIMEOUT_MS: '500', ...env })
      onTestFinished(async () => {
        program.process.kill('SIGKILL')
        await program.ended
      })
      return program
    }
    const doomed = await run({ CHECKSTAND_FAILPOINT: failpoint })
    const request = await prepare(doomed, verb)
    await expect(post(doomed, ...request)).rejects.toThrow('fetch failed')
    expect(await doomed.ended).toBe('SIGKILL')

    const restarted = await run()
    const found = await until('an outcome', async () => {
      const answer = await post(restarted, ...request)
      const record = answer.status === 200 ? (Object.values(answer.json)[0] as Json) : undefined
      // Still running, or not yet asked about: the merchant tries again.
      return ['PENDING', 'UNRESOLVED', undefined].includes(record?.status) ? undefined : record
    })
    expect(found.status).toBe(status)
    expect(await booksIn(database.url)).toEqual({
      charged: [],
      refunded: [],
      released: [],
      ...books,
    })
  },
)

/** Makes what the operation needs, and answers the request for it. */
async function prepare(program: Program, verb: Verb): Promise<[path: string, body: object]> {
  const take = {
    amount: '10.00',
    currency: 'EUR',
    payment_method: { token: await newToken(program) },
  }
  if (verb === 'pay') return ['/payments', { payment: take }]
  const action = verb === 'refund' ? 'PAYMENT' : 'AUTH'
  const { json } = await post(program, '/payments', { payment: { ...take, action } }, 'earlier')
  const body = verb === 'void' ? {} : { [verb]: { amount: '3.00' } }
  return [`/payments/${json.payment.id}/${verb}`, body]
}

async function newToken(program: Program): Promise<string> {
  const card = { number: CARDS.approve, exp_month: 12, exp_year: 2034, csc: '123' }
  const response = await fetch(`${program.base}/sandbox/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card }),
  })
  return ((await response.json()) as { token: string }).token
}

async function post(
  program: Program,
  path: string,
  body: object,
  key = 'the-one',
): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${program.base}/c/api/instances/default${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: basic(`${PROGRAM_KEY}:`),
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: await response.json() }
}

/** Amounts that the sandbox has on its books, in minor units. */
async function booksIn(databaseUrl: string): Promise<Books> {
  const opened = await openDatabase<Tables>(databaseUrl)
  const amounts = async (table: 'sandbox_charges' | 'sandbox_refunds' | 'sandbox_voids') => {
    const rows = await opened.db
      .withTables<Record<typeof table, { amount: number }>>()
      .selectFrom(table)
      .select('amount')
      .execute()
    return rows.map(({ amount }) => amount)
  }
  const books = {
    charged: await amounts('sandbox_charges'),
    refunded: await amounts('sandbox_refunds'),
    released: await amounts('sandbox_voids'),
  }
  await opened.close()
  return books
}
