import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { isDeep } from '../../../test/depth.ts'
import { ABOUT_PAYMENT, signal } from '../../../test/processor-operation.ts'
import { connectStripe } from '../../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../../test/stripe-fake/store-connection.ts'
import { type Fault, startStripeFake } from '../../../test/stripe-fake/start.ts'
import { createJournal } from '../journal.ts'
import type { PaymentOperation, Processor, QueryResponse } from '../port.ts'
import { createStripe } from './index.ts'

const FAULTS: readonly Fault[] = [
  'LOST_BEFORE',
  'LOST_AFTER',
  '500_BEFORE',
  '500_AFTER',
  '429',
  '409',
  'HTML',
  'WRONG_AMOUNT',
  'WRONG_MODE',
]
/** Stripe has not acted on a request that meets one of these. */
const NOT_ACTED = new Set<Fault>(['LOST_BEFORE', '500_BEFORE', '429', '409', 'HTML'])

const CALLS = {
  create: 'POST /v1/payment_intents',
  confirm: 'POST /v1/payment_intents/{intent}/confirm',
  read: 'GET /v1/payment_intents/{intent}',
  cancel: 'POST /v1/payment_intents/{intent}/cancel',
  capture: 'POST /v1/payment_intents/{intent}/capture',
  refund: 'POST /v1/refunds',
  list: 'GET /v1/refunds',
} as const

const CARDS = {
  approve: '4242424242424242',
  decline: '4000000000009995',
  challenge: '4000002500003155',
} as const

type Behavior = keyof typeof CARDS

/**
 * How a call fails: once, or in all three requests that the client makes of it, and whether the requests
 * arrive again before anybody asks what has happened.
 */
interface Case {
  fault: Fault
  times: 1 | 3
  late: boolean
}

const CASES: readonly Case[] = FAULTS.flatMap((fault) => [
  { fault, times: 3, late: false } as const,
  ...(isDeep || fault === 'LOST_AFTER' ? [{ fault, times: 1, late: false } as const] : []),
  ...(isDeep || fault === 'LOST_BEFORE' ? [{ fault, times: 3, late: true } as const] : []),
])

const APPROVED = { status: 'APPROVED' }
const CANCELLED = { status: 'DECLINED', code: 'CANCELLED' }
const INSUFFICIENT_FUNDS = { status: 'DECLINED', code: 'INSUFFICIENT_FUNDS' }
const NATURAL = { approve: APPROVED, decline: INSUFFICIENT_FUNDS, challenge: APPROVED } as const

const AMOUNT = 1050
const HOUR_MS = 3_600_000

let passed = 0
const now = () => Date.now() + passed
const fake = await startStripeFake()
const app = await startTestApp(stripeEnvironment(fake))
const { id } = await connectStripe(app, app.merchant, fake)
/** Requests from the start of the test. */
const requests = () => fake.requests.filter(({ method }) => method === 'post')

beforeEach(() => {
  fake.requests.length = 0
  passed = 0
})
afterEach(() => fake.clearFaults())
afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

/** An adapter as a process has it that has just started. */
function newAdapter(failpoint: (name: string) => void = () => {}): Processor {
  return createStripe({
    id,
    test: true,
    publishableKey: fake.publishableKey,
    secretKey: fake.secretKey,
    webhookSecrets: () => [],
    settings: {},
    apiUrl: fake.url,
    scriptUrl: `${fake.url}/stripe.js`,
    journal: createJournal(app.checkstand.deps.db, id, now),
    now,
    log: app.checkstand.deps.log,
    failpoint,
    onAuthentication: async () => {},
    retryDelaysMs: [0, 0],
  })
}

function newOrder(behavior: Behavior): PaymentOperation {
  return {
    ...ABOUT_PAYMENT,
    operation: randomUUID(),
    merchant: app.merchant.instance.id,
    amount: AMOUNT,
    currency: 'GBP',
    method: { kind: 'NEW', type: 'CARD', token: fake.card(CARDS[behavior]) },
    store: false,
    return_url: 'http://127.0.0.1/return',
  }
}

const isFinal = ({ status }: { status: string }) =>
  ['APPROVED', 'DECLINED', 'ERROR'].includes(status)

const orUnknown = (call: Promise<QueryResponse>): Promise<QueryResponse> =>
  call.catch(() => ({ status: 'UNKNOWN' }) as const)

/** Does what the payments code does about an operation without a final outcome. */
async function reconcile(operation: string, act?: (url: string) => void): Promise<QueryResponse> {
  const adapter = newAdapter()
  for (let check = 0; check < 40; check += 1) {
    const answer = await orUnknown(adapter.query(operation))
    if (isFinal(answer)) return answer
    if (answer.status === 'ACTION' && act) act(answer.url)
    else if (answer.status === 'NOT_FOUND' || answer.status === 'ACTION') {
      const canceled = await orUnknown(adapter.cancel(operation))
      if (isFinal(canceled)) return canceled
    }
    passed += HOUR_MS
  }
  throw new Error(`${operation} has no outcome`)
}

const intentsOf = (operation: string) =>
  [...fake.account.intents.values()].filter(({ metadata }) => metadata['operation'] === operation)

const takenBy = (operation: string) =>
  intentsOf(operation).reduce((sum, intent) => sum + (fake.taken().get(intent.id) ?? 0), 0)

async function sendAllAgain(): Promise<void> {
  for (const request of requests()) await fake.sendAgain(request)
}

/** Whether every intent of an operation is canceled, or was never confirmed and is known to nobody. */
function isBeyondConfirmation(operation: string): boolean {
  const confirmed = new Set(
    requests()
      .filter(({ path }) => path.endsWith('/confirm'))
      .map(({ url }) => url.split('/')[3]),
  )
  return intentsOf(operation).every(
    (intent) =>
      intent.status === 'canceled' ||
      (intent.status === 'requires_confirmation' && !confirmed.has(intent.id)),
  )
}

/** The answer stands, the money is what it says, and no request that arrives again changes it. */
async function expectSettled(operation: string, answer: QueryResponse): Promise<void> {
  const taken = answer.status === 'APPROVED' ? AMOUNT : 0
  for (const again of ['now', 'again', 'without keys']) {
    if (again === 'without keys') fake.forgetKeys()
    if (again !== 'now') await sendAllAgain()
    expect(takenBy(operation)).toBe(taken)
    expect(taken > 0 || isBeyondConfirmation(operation)).toBe(true)
    expect(await newAdapter().query(operation)).toMatchObject({ status: answer.status })
  }
}

function expectedPayment(call: keyof typeof CALLS, behavior: Behavior, given: Case): object {
  const { fault, times, late } = given
  if (call === 'cancel' && behavior === 'challenge') return CANCELLED
  const isLost = times === 3 && NOT_ACTED.has(fault)
  // An intent whose id was never learned is not confirmed. Stripe repeats a 500 to its key.
  const isNotCreated = fault === '500_AFTER' || (times === 3 && fault === 'LOST_AFTER') || isLost
  if (call === 'create' && isNotCreated) return CANCELLED
  if (call === 'confirm' && isLost && !late) return CANCELLED
  return NATURAL[behavior]
}

describe.each(['create', 'confirm', 'read', 'cancel'] as const)('a fault in %s', (call) => {
  describe.each(Object.keys(CARDS) as Behavior[])('of a payment to %s', (behavior) => {
    it.each(CASES)('$fault, $times times, late $late, ends in one outcome', async (given) => {
      const order = newOrder(behavior)
      fake.fault(CALLS[call], given.fault, given.times)
      const first = await orUnknown(newAdapter().pay(order))
      if (given.late) await sendAllAgain()
      const approve = (url: string) => fake.confirm(url, 'approve')
      const end = await reconcile(order.operation, call === 'cancel' ? undefined : approve)
      if (isFinal(first)) expect(end).toEqual(first)
      expect(end).toMatchObject(expectedPayment(call, behavior, given))
      if (end.status === 'DECLINED') {
        for (const { id: intent } of intentsOf(order.operation)) {
          fake.confirm(`${fake.url}/bank/${intent}`, 'approve')
        }
      }
      await expectSettled(order.operation, end)
    })
  })
})

describe.each(['processor-begun', 'processor-confirmed'] as const)('a process dies at %s', (at) => {
  const die = (name: string) => {
    if (name === at) throw new Error('died')
  }

  it.each(Object.keys(CARDS) as Behavior[])('with a card to %s', async (behavior) => {
    const order = newOrder(behavior)
    expect(await orUnknown(newAdapter(die).pay(order))).toEqual({ status: 'UNKNOWN' })
    const end = await reconcile(order.operation, (url) => fake.confirm(url, 'approve'))
    expect(end).toMatchObject(at === 'processor-begun' ? CANCELLED : NATURAL[behavior])
    await expectSettled(order.operation, end)
  })

  it.each(Object.keys(CARDS) as Behavior[])(
    'and pays again with a card to %s',
    async (behavior) => {
      const order = newOrder(behavior)
      await orUnknown(newAdapter(die).pay(order))
      const answer = await newAdapter().pay(order)
      const isAsked = behavior === 'challenge'
      expect(answer).toMatchObject(isAsked ? { status: 'ACTION' } : NATURAL[behavior])
      const end = await reconcile(order.operation, (url) => fake.confirm(url, 'approve'))
      if (!isAsked) expect(end).toEqual(answer)
      await expectSettled(order.operation, end)
    },
  )
})

it('gives one outcome to a payment and its cancellation, whichever comes first', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 30; round += 1) {
    fake.requests.length = 0
    const order = newOrder('approve')
    const payment = orUnknown(newAdapter().pay(order))
    // The last one certainly comes after the payment.
    await (round === 29 ? payment : sleep(round))
    const [paid, canceled] = await Promise.all([
      payment,
      orUnknown(newAdapter().cancel(order.operation)),
    ])
    const end = await reconcile(order.operation)
    for (const each of [paid, canceled])
      if (isFinal(each)) expect(each).toMatchObject({ status: end.status })
    await expectSettled(order.operation, end)
    outcomes.add(end.status)
  }
  expect(outcomes).toEqual(new Set(['APPROVED', 'DECLINED']))
})

/** A capture, refund or void of a payment that was made for it. */
async function newFollowUp(kind: 'capture' | 'refund' | 'void', amount = AMOUNT) {
  const order = newOrder('approve')
  const adapter = newAdapter()
  const made = kind === 'refund' ? await adapter.pay(order) : await adapter.authorize(order)
  if (made.status !== 'APPROVED') throw new Error(`it is ${made.status}`)
  fake.requests.length = 0
  const { reference } = made
  return {
    payment: order.operation,
    operation: randomUUID(),
    reference,
    amount,
    currency: 'GBP',
    signal,
  }
}

const stateOf = (reference: string) => {
  const { status, latest_charge } = fake.account.intents.get(reference) ?? {}
  const charge = fake.account.charges.get(latest_charge ?? '')
  return { status, captured: charge?.amount_captured, refunded: charge?.amount_refunded }
}

const STATES = {
  capture: {
    APPROVED: { status: 'succeeded', captured: 700, refunded: 0 },
    DECLINED: { status: 'requires_capture', captured: 0, refunded: 0 },
  },
  refund: {
    APPROVED: { status: 'succeeded', captured: AMOUNT, refunded: 700 },
    DECLINED: { status: 'succeeded', captured: AMOUNT, refunded: 0 },
  },
  void: {
    APPROVED: { status: 'canceled', captured: 0, refunded: 0 },
    DECLINED: { status: 'requires_capture', captured: 0, refunded: 0 },
  },
} as const

describe.each([
  ['capture', 'capture', 700],
  ['capture', 'read', 700],
  ['refund', 'refund', 700],
  ['refund', 'list', 700],
  ['refund', 'read', 700],
  ['refund', 'refund', AMOUNT + 1],
  ['void', 'cancel', AMOUNT],
  ['void', 'read', AMOUNT],
] as const)('a %s with a fault in %s, of %i', (kind, call, amount) => {
  it.each(CASES)('$fault, $times times, late $late, ends in one outcome', async (given) => {
    const { fault, times, late } = given
    const followUp = await newFollowUp(kind, amount)
    fake.fault(CALLS[call], fault, times)
    const first = await orUnknown(newAdapter()[kind](followUp))
    if (late) await sendAllAgain()
    const end = await reconcile(followUp.operation)
    if (isFinal(first)) expect(end).toEqual(first)
    const isTooMuch = amount > AMOUNT
    // A refund is sent again with its key. Whatever is not sent before it has begun never is.
    const isGivenUp =
      times === 3 &&
      (call === kind || call === 'cancel') &&
      kind !== 'refund' &&
      NOT_ACTED.has(fault) &&
      !late
    const isUnbegun = call === 'read' && requests().length === 0
    const status = isTooMuch || isGivenUp || isUnbegun ? 'DECLINED' : 'APPROVED'
    expect(end.status).toBe(status)
    expect(stateOf(followUp.reference)).toEqual(STATES[kind][status])
    if (!isGivenUp) {
      await sendAllAgain()
      expect(stateOf(followUp.reference)).toEqual(STATES[kind][status])
    }
    expect(await newAdapter().query(followUp.operation)).toMatchObject({ status })
  })
})

it('refunds once when the same refund is asked for several times at once', async () => {
  const followUp = await newFollowUp('refund', 700)
  const answers = await Promise.all([1, 2, 3, 4].map(() => newAdapter().refund(followUp)))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(stateOf(followUp.reference)).toEqual(STATES.refund.APPROVED)
})

it('does not give up a refund while it may be sent again', async () => {
  const followUp = await newFollowUp('refund', 700)
  fake.fault(CALLS.refund, 'LOST_BEFORE', 3)
  await orUnknown(newAdapter().refund(followUp))
  passed = 24 * HOUR_MS - 1000
  await expect(newAdapter().cancel(followUp.operation)).rejects.toThrow('may still arrive')
  passed = 24 * HOUR_MS + 60_000
  expect(await newAdapter().query(followUp.operation)).toEqual({ status: 'NOT_FOUND' })
  await expect(newAdapter().cancel(followUp.operation)).rejects.toThrow('may still arrive')
  passed = 25 * HOUR_MS
  expect(await newAdapter().cancel(followUp.operation)).toMatchObject(CANCELLED)
  expect(await newAdapter().refund(followUp)).toMatchObject(CANCELLED)
  expect(stateOf(followUp.reference)).toEqual(STATES.refund.DECLINED)
})

it('approves one of two voids', async () => {
  for (const isLost of [false, true]) {
    const first = await newFollowUp('void')
    const second = { ...first, operation: randomUUID() }
    if (isLost) fake.fault(CALLS.cancel, 'LOST_AFTER', 3)
    await orUnknown(newAdapter().void(first))
    expect(await newAdapter().void(second)).toMatchObject({ status: 'DECLINED' })
    expect(await newAdapter().query(first.operation)).toMatchObject(APPROVED)
    expect(await newAdapter().query(second.operation)).toMatchObject({ status: 'DECLINED' })
  }
})

it('cancels with a key that has not been refused', async () => {
  const order = {
    ...newOrder('approve'),
    method: { kind: 'NEW', type: 'CARD', token: fake.card('4000000000000085') },
  } as const
  const adapter = newAdapter()
  expect(await adapter.pay(order)).toMatchObject({ status: 'PENDING' })
  const { id: intent } = intentsOf(order.operation)[0] as { id: string }
  const { method, path, url, headers } = requests().at(-1) as (typeof fake.requests)[number]
  await fake.sendAgain({
    method,
    path,
    url: url.replace('/confirm', '/cancel'),
    body: '',
    headers: { ...headers, 'idempotency-key': `${order.operation}:cancel` },
  })
  expect(await adapter.cancel(order.operation)).toMatchObject({ status: 'PENDING' })
  fake.settle()
  expect(await adapter.query(order.operation)).toMatchObject(INSUFFICIENT_FUNDS)
  expect(fake.account.intents.get(intent)?.status).toBe('canceled')
})

it('does not decline while a failed payment cannot be canceled', async () => {
  const order = newOrder('decline')
  fake.fault(CALLS.cancel, 'LOST_BEFORE', 3)
  expect(await orUnknown(newAdapter().pay(order))).toEqual({ status: 'UNKNOWN' })
  expect(isBeyondConfirmation(order.operation)).toBe(false)
  const end = await reconcile(order.operation)
  expect(end).toMatchObject(INSUFFICIENT_FUNDS)
  await expectSettled(order.operation, end)
})

it('sends nothing after its signal is aborted', async () => {
  const ended = new AbortController()
  const order = { ...newOrder('approve'), signal: ended.signal }
  const payment = newAdapter((name) => name === 'processor-begun' && ended.abort()).pay(order)
  await expect(payment).rejects.toThrow('aborted')
  expect(requests().map(({ path }) => path)).toEqual(['/v1/payment_intents'])
  const end = await reconcile(order.operation)
  expect(end).toMatchObject(CANCELLED)
  await expectSettled(order.operation, end)
})
