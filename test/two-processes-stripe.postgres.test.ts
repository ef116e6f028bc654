import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CARDS } from './cards.ts'
import { type ApiResponse, createHttpClient } from './client.ts'
import { openDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { isDeep, repetitions } from './depth.ts'
import { newLink, openPayerClient, resumePayerClient } from './payer-client.ts'
import { openPaymentsClient } from './payments-client.ts'
import { type Program, startProgram, until } from './program.ts'
import { stripeEnvironment } from './stripe-fake/environment.ts'
import { connectProgram } from './stripe-fake/store-connection.ts'
import { moneyOf, NO_MONEY } from './stripe-fake/money.ts'
import { startStripeFake, type StripeFake } from './stripe-fake/start.ts'

/**
 * Two server processes on one PostgreSQL database and one account of Stripe. What both are asked at the
 * same time happens once, and Stripe's books equal what was answered.
 */

const AMOUNTS = ['13.01', '13.02', '13.03'].slice(0, repetitions(1, 3))
const ROUNDS = repetitions(1, 4)

let fake: StripeFake
let database: TestDatabase
let programs: Program[]
let processor: string

beforeAll(async () => {
  fake = await startStripeFake()
  database = await openTestDatabase()
  const environment = { ...stripeEnvironment(fake), PAYER_RATE: '0' }
  programs = [await startProgram(database.url, environment)]
  programs.push(await startProgram(database.url, environment))
  processor = await connectProgram(database.url, fake)
  // The fake reads the description at its first request, which takes longer than a payment may.
  await merchant().pay(undefined, { payment_method: newCard() })
})
afterAll(async () => {
  for (const program of programs) program.process.kill('SIGKILL')
  await Promise.all(programs.map(({ ended }) => ended))
  await database.drop()
  await fake.close()
})
beforeEach(() => {
  fake.account.intents.clear()
  fake.account.charges.clear()
  fake.account.refunds.clear()
})

const clients = () => programs.map(({ base }) => createHttpClient(base))
const first = () => createHttpClient((programs[0] as Program).base)
const merchant = () => openPaymentsClient(first(), first())
const newCard = () => ({ processor, token: fake.card(CARDS.approve) })

/** Sends to each process in turn, all at once. */
function severally<T>(
  times: number,
  act: (client: ReturnType<typeof first>, n: number) => Promise<T>,
): Promise<T[]> {
  const both = clients()
  return Promise.all(
    Array.from({ length: times }, (_, n) => act(both[n % 2] as (typeof both)[0], n)),
  )
}

const successes = (answers: readonly ApiResponse[], record: string) =>
  answers.filter(({ json }) => json[record]?.status === 'SUCCESS')

describe('two processes with one account of Stripe', () => {
  it('make one payment of a request that both receive', async () => {
    const payment = { amount: '12.01', currency: 'EUR', payment_method: newCard() }
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => severally(6, ({ api }) => api('/payments', { body: { payment }, headers }))
    for (const { status } of await send()) expect([200, 409]).toContain(status)
    const again = await first().api('/payments', { body: { payment }, headers })
    expect(again.json.payment.status).toBe('SUCCESS')
    expect(moneyOf(fake)).toEqual({ ...NO_MONEY, taken: [1_201] })
  })

  it('let one of several payers pay a link', async () => {
    const link = await newLink(first(), { amount: '12.02' })
    const opened = await severally(6, (client) => openPayerClient(client, link.id))
    const answers = await severally(6, (client, n) =>
      resumePayerClient(client, opened[n]!).submit({
        payment_method: { type: 'CARD', ...newCard() },
      }),
    )
    const outcomes = answers.map(({ json }) => json.outcome as string)
    expect(outcomes.filter((outcome) => outcome === 'COMPLETED')).toHaveLength(1)
    for (const outcome of outcomes) expect(outcome).toMatch(/COMPLETED|BUSY|GONE/)
    expect(moneyOf(fake)).toEqual({ ...NO_MONEY, taken: [1_202] })
  })

  it('refund no more than was paid', async () => {
    const { id } = await merchant().pay(undefined, { amount: '12.03', payment_method: newCard() })
    const answers = await severally(6, ({ api }) =>
      api(`/payments/${id}/refund`, { body: { refund: { amount: '5.00' } } }),
    )
    expect(successes(answers, 'refund')).toHaveLength(2)
    expect(moneyOf(fake)).toEqual({ ...NO_MONEY, taken: [1_203], refunded: [500, 500] })
  })

  it('either capture or release an authorization', async () => {
    for (const amount of AMOUNTS) {
      const payment = { action: 'AUTH', amount, payment_method: newCard() }
      const { id } = await merchant().pay(undefined, payment)
      const answers = await severally(4, ({ api }, n) =>
        n < 2
          ? api(`/payments/${id}/capture`, { body: { capture: { amount: '1.00' } } })
          : api(`/payments/${id}/void`, { method: 'POST', body: {} }),
      )
      const captures = successes(answers, 'capture').length
      const voids = successes(answers, 'void').length
      expect(captures + voids, JSON.stringify(answers.map(({ text }) => text))).toBe(1)
    }
    const { taken, released, reserved } = moneyOf(fake)
    expect([taken.length + released.length, reserved]).toEqual([AMOUNTS.length, []])
  })

  it('end a payment at the bank that its payer leaves and confirms at once, as Stripe ended it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const link = await newLink(first(), { amount: '12.04' })
      const payer = await openPayerClient(first(), link.id)
      const token = fake.card('4000002760003184')
      const asked = await payer.submit({ payment_method: { type: 'CARD', processor, token } })
      expect(asked.json.outcome).toBe('ACTION')
      const [another] = await Promise.all([
        // Another card, at the other process, while the bank gets the payer's yes.
        resumePayerClient(clients()[1]!, payer).submit({
          payment_method: { type: 'CARD', ...newCard() },
        }),
        fetch(`${asked.json.action.url}/approve`, { redirect: 'manual' }),
      ])
      expect(another.json.outcome).toMatch(/COMPLETED|BUSY|GONE/)
      await until('the link to be paid', async () => {
        const { json } = await first().api(`/payment_links/${link.id}`)
        return json.payment_link.status === 'PAYMENT_SUCCESS'
      })
    }
    expect(moneyOf(fake).taken).toEqual(Array(ROUNDS).fill(1_204))
  })

  // The server waits for seconds before it asks.
  it.runIf(isDeep)(
    'settle a payment whose response was lost once, as Stripe knows it',
    async () => {
      fake.fault('POST /v1/payment_intents/{intent}/confirm', 'LOST_AFTER', 3)
      const payment = { amount: '12.05', currency: 'EUR', payment_method: newCard() }
      const { json } = await first().api('/payments', { body: { payment } })
      const { id } = json.payment
      await until('an outcome', async () => (await merchant().read(id)).status === 'SUCCESS')
      expect(moneyOf(fake)).toEqual({ ...NO_MONEY, taken: [1_205] })
      const { db, close } = await openDatabase<Tables>(database.url)
      const events = await db
        .selectFrom('events')
        .select('id')
        .where('type', '=', 'payment.success')
        .where('data', 'like', `%${id}%`)
        .execute()
      await close()
      expect(events).toHaveLength(1)
    },
  )

  it('ask Stripe for nothing that its description does not know', () => {
    expect(fake.problems).toEqual([])
  })
})
