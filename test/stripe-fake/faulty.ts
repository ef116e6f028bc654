import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect } from 'vitest'
import { createJournal, type Journal } from '../../server/processors/journal.ts'
import type { PaymentOperation, Processor, QueryResponse } from '../../server/processors/port.ts'
import { createStripe } from '../../server/processors/stripe/index.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { atEnd } from '../at-end.ts'
import { isDeep } from '../depth.ts'
import { ABOUT_PAYMENT } from '../processor-operation.ts'
import { connectStripe } from './connect.ts'
import type { Fault } from './faults.ts'
import { type StripeFake, startStripeFake } from './start.ts'
import { stripeEnvironment } from './environment.ts'

/** What tests of faults between the adapter and Stripe share. */

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
  'WRONG_CURRENCY',
  'OTHER_PAYMENT',
  'UNKNOWN_STATUS',
]
/** Stripe has not acted on a request that meets one of these. */
export const NOT_ACTED = new Set<Fault>(['LOST_BEFORE', '500_BEFORE', '429', '409', 'HTML'])

export const CALLS = {
  create: 'POST /v1/payment_intents',
  confirm: 'POST /v1/payment_intents/{intent}/confirm',
  read: 'GET /v1/payment_intents/{intent}',
  cancel: 'POST /v1/payment_intents/{intent}/cancel',
  capture: 'POST /v1/payment_intents/{intent}/capture',
  refund: 'POST /v1/refunds',
  list: 'GET /v1/refunds',
} as const

export const CARDS = {
  approve: '4242424242424242',
  decline: '4000000000009995',
  challenge: '4000002500003155',
} as const

export type Behavior = keyof typeof CARDS

/**
 * How a call fails: once, or in all three requests that the client makes of it, and whether the requests
 * arrive again before anybody asks what has happened.
 */
export interface Case {
  fault: Fault
  times: 1 | 3
  late: boolean
}

export const CASES: readonly Case[] = FAULTS.flatMap((fault) => [
  { fault, times: 3, late: false } as const,
  ...(isDeep || fault === 'LOST_AFTER' ? [{ fault, times: 1, late: false } as const] : []),
  ...(isDeep || fault === 'LOST_BEFORE' ? [{ fault, times: 3, late: true } as const] : []),
])

export const APPROVED = { status: 'APPROVED' }
export const CANCELLED = { status: 'DECLINED', code: 'CANCELLED' }
export const INSUFFICIENT_FUNDS = { status: 'DECLINED', code: 'INSUFFICIENT_FUNDS' }
/** How a payment ends that meets no fault. */
export const NATURAL = {
  approve: APPROVED,
  decline: INSUFFICIENT_FUNDS,
  challenge: APPROVED,
} as const

export const AMOUNT = 1050
export const HOUR_MS = 3_600_000

export const isFinal = ({ status }: { status: string }) =>
  ['APPROVED', 'DECLINED', 'ERROR'].includes(status)

export const orUnknown = (call: Promise<QueryResponse>): Promise<QueryResponse> =>
  call.catch(() => ({ status: 'UNKNOWN' }) as const)

/**
 * Makes the adapter of a connection to the fake, as a process has it that has just started. It does not
 * wait before it sends a request again.
 */
export function newStripeAdapter(
  { checkstand }: TestApp,
  fake: StripeFake,
  {
    id,
    now,
    failpoint = () => {},
    changeJournal = (journal) => journal,
  }: {
    id: string
    now: () => number
    failpoint?: (name: string) => void
    changeJournal?: (journal: Journal) => Journal
  },
): Processor {
  const { db, log } = checkstand.deps
  return createStripe({
    id,
    test: true,
    publishableKey: fake.publishableKey,
    secretKey: fake.secretKey,
    webhookSecrets: () => [],
    settings: {},
    apiUrl: fake.url,
    scriptUrl: `${fake.url}/stripe.js`,
    journal: changeJournal(createJournal(db, id, now)),
    now,
    log,
    failpoint,
    onAuthentication: async () => {},
    retryDelaysMs: [0, 0],
  })
}

/** Starts an app whose merchant has connected a fake, for the tests of one file. */
export async function openFaultyStripe() {
  let passed = 0
  const now = () => Date.now() + passed
  const fake = await startStripeFake({ now })
  const app = await startTestApp(stripeEnvironment(fake))
  const { id } = await connectStripe(app, app.merchant, fake)

  beforeEach(() => {
    fake.requests.length = 0
    passed = 0
  })
  afterEach(() => fake.clearFaults())
  atEnd(async () => {
    await fake.close()
    expect(fake.problems).toEqual([])
  })

  /** Requests that can change something, from the start of the test. */
  const requests = () => fake.requests.filter(({ method }) => method === 'post')

  const newAdapter = (failpoint?: (name: string) => void) =>
    newStripeAdapter(app, fake, { id, now, ...(failpoint && { failpoint }) })

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
      // Stripe forgets keys after a day, which is the longest that anything waits for.
      passed += check < 2 ? HOUR_MS : 6 * HOUR_MS
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

  /** Whether every intent of an operation is canceled, or is unconfirmed and no request has tried. */
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
    const rounds = isDeep ? ['now', 'again', 'without keys'] : ['now', 'without keys']
    for (const again of rounds) {
      if (again === 'without keys') fake.forgetKeys()
      if (again !== 'now') await sendAllAgain()
      expect(takenBy(operation)).toBe(taken)
      expect(taken > 0 || isBeyondConfirmation(operation)).toBe(true)
      expect(await newAdapter().query(operation)).toMatchObject({ status: answer.status })
    }
  }

  return {
    app,
    fake,
    id,
    /** Lets time pass for the adapter and the fake. */
    pass: (ms: number) => void (passed += ms),
    requests,
    newAdapter,
    newOrder,
    reconcile,
    intentsOf,
    sendAllAgain,
    isBeyondConfirmation,
    expectSettled,
  }
}
