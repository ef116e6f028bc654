import { randomUUID } from 'node:crypto'
import { it, type TestContext } from 'vitest'
import type { FailpointName } from '../server/failpoint.ts'
import { CARDS } from './cards.ts'
import { type CrashServer, type HttpServer, startCrashServer } from './crash-server.ts'
import { isDeep } from './depth.ts'
import { newLink, openPayerClient, resumePayerClient } from './payer-client.ts'
import { type Json, openPaymentsClient } from './payments-client.ts'
import { until } from './program.ts'
import { stripeEnvironment } from './stripe-fake/environment.ts'
import { connectProgram } from './stripe-fake/store-connection.ts'
import { moneyOf, NO_MONEY, type StripeMoney } from './stripe-fake/money.ts'
import { startStripeFake, type StripeFake } from './stripe-fake/start.ts'

/**
 * Kills the program between its calls to Stripe, and where Stripe alone knows the outcome, and starts
 * it again. Stripe outlives it. Tests run concurrently, because they mostly wait for programs to start. In
 * `npm test` two kills show that a process ends and starts as the simulation has it end and start.
 */

const TIMEOUT = { timeout: 240_000 }

interface Shop extends CrashServer {
  fake: StripeFake
  /** The connection's id. */
  processor: string
}

async function startShop(
  point: FailpointName,
  onTestFinished: TestContext['onTestFinished'],
): Promise<Shop> {
  const fake = await startStripeFake()
  onTestFinished(() => fake.close())
  const crashServer = await startCrashServer(point, onTestFinished, stripeEnvironment(fake))
  const processor = await connectProgram(crashServer.databaseUrl, fake)
  return { ...crashServer, fake, processor }
}

/** The failpoint, the operation, its final status, and what Stripe has on its books. */
type Row = [
  point: FailpointName,
  verb: 'pay' | 'authorize' | 'refund' | 'capture' | 'void',
  status: string,
  books: Partial<StripeMoney>,
]

const MERCHANTS: Row[] = [
  ['processor-begun', 'pay', 'DECLINE', {}],
  ['processor-confirmed', 'pay', 'SUCCESS', { taken: [1_000] }],
  ['refund-answered', 'refund', 'SUCCESS', { taken: [1_000], refunded: [300] }],
  ['attempt-stored', 'pay', 'DECLINE', {}],
  ['processor-answered', 'pay', 'SUCCESS', { taken: [1_000] }],
  ['processor-begun', 'authorize', 'DECLINE', {}],
  ['processor-confirmed', 'authorize', 'SUCCESS', { reserved: [1_000] }],
  ['refund-stored', 'refund', 'DECLINED', { taken: [1_000] }],
  ['capture-stored', 'capture', 'DECLINE', { reserved: [1_000] }],
  ['capture-answered', 'capture', 'SUCCESS', { taken: [300] }],
  ['void-stored', 'void', 'DECLINED', { reserved: [1_000] }],
  ['void-answered', 'void', 'SUCCESS', { released: [1_000] }],
]

it.concurrent.for(isDeep ? MERCHANTS : MERCHANTS.slice(0, 1))(
  'after a kill at %s, a %s by a merchant is %s, and Stripe has no other money',
  TIMEOUT,
  async ([point, verb, status, books], { expect, onTestFinished }) => {
    const shop = await startShop(point, onTestFinished)
    const [path, body] = await operation(shop, verb)
    const send = ({ api }: HttpServer) =>
      api(path, { body, headers: { 'idempotency-key': 'the-one' } })
    await expect(send(shop)).rejects.toThrow('fetch failed')
    expect(await shop.ended).toBe('SIGKILL')

    const recovered = await shop.recover()
    const found = await until('an outcome', async () => {
      const response = await send(recovered)
      const record = response.status === 200 ? (Object.values(response.json)[0] as Json) : undefined
      return ['PENDING', 'UNRESOLVED', undefined].includes(record?.status) ? undefined : record
    })
    expect(found.status).toBe(status)
    expect(moneyOf(shop.fake)).toEqual({ ...NO_MONEY, ...books })
    expect(shop.fake.problems).toEqual([])
  },
)

/** Prepares the operation. Returns its request. */
async function operation(shop: Shop, verb: Row[1]): Promise<[path: string, body: object]> {
  const { fake, processor } = shop
  const payment_method = { processor, token: fake.card(CARDS.approve) }
  const payment = { amount: '10.00', currency: 'EUR', payment_method }
  if (verb === 'pay') return ['/payments', { payment }]
  if (verb === 'authorize') return ['/payments', { payment: { ...payment, action: 'AUTH' } }]
  const action = verb === 'refund' ? 'PAYMENT' : 'AUTH'
  const { id } = await openPaymentsClient(shop, shop).pay(undefined, { action, payment_method })
  return [`/payments/${id}/${verb}`, verb === 'void' ? {} : { [verb]: { amount: '3.00' } }]
}

/** The failpoint of a payer's submit, the card, its outcome, the link's status, and Stripe's books. */
const PAYERS: [
  point: FailpointName,
  card: string,
  outcome: string,
  link: string,
  books: Partial<StripeMoney>,
][] = [
  ['processor-begun', CARDS.approve, 'DECLINED', 'ACTIVE', {}],
  ['processor-confirmed', CARDS.approve, 'COMPLETED', 'PAYMENT_SUCCESS', { taken: [1_250] }],
  ['processor-confirmed', '4000000000009995', 'DECLINED', 'ACTIVE', {}],
  ['processor-confirmed', '4000002760003184', 'ACTION', 'ACTIVE', { confirmable: 1 }],
]

it.concurrent.for(isDeep ? PAYERS : PAYERS.slice(1, 2))(
  'killed at %s, a payment by a payer with the card %s is %s, its link %s, and nothing else is taken',
  TIMEOUT,
  async ([point, card, outcome, status, books], { expect, onTestFinished }) => {
    const shop = await startShop(point, onTestFinished)
    const { id } = await newLink(shop)
    const opened = await openPayerClient(shop, id)
    const token = shop.fake.card(card)
    const attempt = {
      attempt_key: randomUUID(),
      payment_method: { type: 'CARD', processor: shop.processor, token },
    }
    const submit = (to: HttpServer) => resumePayerClient(to, opened).submit(attempt)
    await expect(submit(shop)).rejects.toThrow('fetch failed')
    expect(await shop.ended).toBe('SIGKILL')

    const recovered = await shop.recover()
    // The page repeats the same attempt until it has an outcome.
    const result = await until('a final answer', async () => {
      const { json } = await submit(recovered)
      return json.outcome === 'PENDING' ? undefined : (json.outcome as string)
    })
    expect(result).toBe(outcome)
    const { json } = await recovered.api(`/payment_links/${id}`)
    expect(json.payment_link.status).toBe(status)
    expect(moneyOf(shop.fake)).toEqual({ ...NO_MONEY, ...books })
    expect(shop.fake.problems).toEqual([])
  },
)
