import { afterAll, beforeAll, it } from 'vitest'
import { openDatabase, type OpenedDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { MIGRATED } from './app.ts'
import { CARDS } from './cards.ts'
import { createHttpClient } from './client.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { cardToken } from './payer-client.ts'
import { type Program, startProgram, until } from './program.ts'

/** Two server processes on one database; one is killed during a call to the processor. */

let database: TestDatabase
let opened: OpenedDatabase<Tables>
let survivor: Program

beforeAll(async () => {
  database = await openTestDatabase(MIGRATED)
  opened = await openDatabase<Tables>(database.url)
  survivor = await startProgram(database.url)
})
afterAll(async () => {
  survivor.process.kill('SIGKILL')
  await survivor.ended
  await opened.close()
  await database.drop()
})

it.concurrent.for([
  ['before the processor is called is declined', 'attempt-stored', 'DECLINE', 1000],
  ['after the processor charged the card succeeds', 'sandbox-charged', 'SUCCESS', 1100],
] as const)(
  'a payment whose process is killed %s, settled by another process before the call’s deadline',
  async ([, point, status, amount], { expect }) => {
    const victim = await startProgram(database.url, { CHECKSTAND_FAILPOINT: `${point}:kill` })
    const token = await cardToken(createHttpClient(survivor.base), CARDS.approve)
    const payment = {
      amount: (amount / 100).toFixed(2),
      currency: 'EUR',
      payment_method: { token },
    }
    const request = createHttpClient(victim.base).api('/payments', { body: { payment } })
    await expect(request).rejects.toThrow('fetch failed')
    expect(await victim.ended).toBe('SIGKILL')
    const died = performance.now()
    const attempt = await opened.db
      .selectFrom('attempts')
      .innerJoin('payments', 'payments.id', 'attempts.payment_id')
      .select(['owner', 'payment_id'])
      .where('payments.amount', '=', amount)
      .executeTakeFirstOrThrow()
    expect(attempt.owner).toMatch(/^\d+$/)
    await until('the payment to be settled', async () => {
      const row = await opened.db
        .selectFrom('payments')
        .select('status')
        .where('id', '=', attempt.payment_id ?? '')
        .executeTakeFirst()
      return row?.status === status
    })
    // Under five seconds where nothing else runs; the call's own deadline is after thirty.
    expect(performance.now() - died).toBeLessThan(8000)
  },
)
