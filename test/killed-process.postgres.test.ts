import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, type OpenedDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { basic } from './app.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { CARDS } from './payer-client.ts'
import { type Program, PROGRAM_KEY, startProgram, until } from './program.ts'

/** Two processes of the real program on one PostgreSQL, one of which dies in the middle of a call. */

let database: TestDatabase
let opened: OpenedDatabase<Tables>
let survivor: Program

beforeAll(async () => {
  database = await openTestDatabase()
  opened = await openDatabase<Tables>(database.url)
  survivor = await startProgram(database.url)
})
afterAll(async () => {
  survivor.process.kill('SIGKILL')
  await survivor.ended
  await opened.close()
  await database.drop()
})

async function post(base: string, path: string, body: unknown) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic(`${PROGRAM_KEY}:`) },
    body: JSON.stringify(body),
  })
  return response.json()
}

it.each([
  ['before the processor heard of it is declined', 'attempt-stored', 'DECLINE'],
  ['after the processor took the money is recorded as paid', 'sandbox-charged', 'SUCCESS'],
])(
  'a payment whose process was killed %s by another one, long before the call’s own deadline',
  async (_, point, status) => {
    const victim = await startProgram(database.url, { CHECKSTAND_FAILPOINT: `${point}:kill` })
    const card = { number: CARDS.approve, exp_month: 12, exp_year: 2034, csc: '123' }
    const { token } = (await post(survivor.base, '/sandbox/tokens', { card })) as { token: string }
    const payment = { amount: '10.00', currency: 'EUR', payment_method: { token } }
    const cut = post(victim.base, '/c/api/instances/default/payments', { payment })
    await expect(cut).rejects.toThrow()
    expect(await victim.ended).toBe('SIGKILL')
    const died = performance.now()
    const [attempt] = await opened.db
      .selectFrom('attempts')
      .selectAll()
      .orderBy('created', 'desc')
      .limit(1)
      .execute()
    expect(attempt?.owner).toMatch(/^\d+$/)
    await until('the payment to be settled', async () => {
      const row = await opened.db
        .selectFrom('payments')
        .select('status')
        .where('id', '=', attempt?.payment_id ?? '')
        .executeTakeFirst()
      return row?.status === status
    })
    // Under five seconds where nothing else runs; the call's own deadline is after thirty.
    expect(performance.now() - died).toBeLessThan(8000)
  },
)
