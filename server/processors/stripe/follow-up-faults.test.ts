import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isDeep } from '../../../test/depth.ts'
import { signal } from '../../../test/processor-operation.ts'
import {
  AMOUNT,
  APPROVED,
  CALLS,
  CANCELLED,
  CASES,
  HOUR_MS,
  isFinal,
  NOT_ACTED,
  openFaultyStripe,
  orUnknown,
} from '../../../test/stripe-fake/faulty.ts'

/** The same for captures, refunds and voids. */

const { fake, newAdapter, newOrder, pass, reconcile, requests, sendAllAgain } =
  await openFaultyStripe()

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
  // In short runs the three kinds share the faults of a read, which acts on nothing, and the refunds those
  // of a list and of too much money.
  const acts = amount <= AMOUNT && call !== 'read' && call !== 'list'
  const turns = acts ? 1 : call === 'read' ? 3 : 2
  const turn = kind === 'capture' || call === 'list' ? 0 : kind === 'void' ? 2 : 1
  const cases = CASES.filter(({ fault }, at) => {
    // A payment in another currency is not followed, which is a clear answer.
    if (call === 'read' && fault === 'WRONG_CURRENCY') return false
    return isDeep || at % turns === turn % turns
  })

  it.each(cases)('$fault, $times times, late $late, ends in one outcome', async (given) => {
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
  pass(24 * HOUR_MS - 1000)
  await expect(newAdapter().cancel(followUp.operation)).rejects.toThrow('may still arrive')
  pass(61_000)
  expect(await newAdapter().query(followUp.operation)).toEqual({ status: 'NOT_FOUND' })
  await expect(newAdapter().cancel(followUp.operation)).rejects.toThrow('may still arrive')
  pass(HOUR_MS - 60_000)
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
