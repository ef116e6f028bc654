import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isDeep, repetitions } from '../../../test/depth.ts'
import {
  type Behavior,
  CALLS,
  CANCELLED,
  CARDS,
  type Case,
  CASES,
  INSUFFICIENT_FUNDS,
  isFinal,
  NATURAL,
  NOT_ACTED,
  openFaultyStripe,
  orUnknown,
} from '../../../test/stripe-fake/faulty.ts'

/** Whatever goes wrong between the adapter and Stripe, a payment has one outcome, and money agrees. */

const stripe = await openFaultyStripe()
const { fake, newAdapter, newOrder, reconcile, requests, sendAllAgain, expectSettled } = stripe
const { intentsOf, isBeyondConfirmation } = stripe

function expectedPayment(call: keyof typeof CALLS, behavior: Behavior, given: Case): object {
  const { fault, times, late } = given
  if (call === 'cancel' && behavior === 'challenge') return CANCELLED
  const isLost = times === 3 && NOT_ACTED.has(fault)
  // An intent whose id was never learned is not confirmed. Stripe repeats a 500 to its key.
  const isUnknown = fault === '500_AFTER' || fault === 'OTHER_PAYMENT'
  const isNotCreated = isUnknown || (times === 3 && fault === 'LOST_AFTER') || isLost
  if (call === 'create' && isNotCreated) return CANCELLED
  if (call === 'confirm' && isLost && !late) return CANCELLED
  return NATURAL[behavior]
}

/**
 * What is run of all faults in all calls of all payments: everything in deep runs, else each fault in each
 * call that moves money, of one kind of payment, which takes turns.
 */
const MATRIX = (['create', 'confirm', 'read', 'cancel'] as const).map((call, offset) => {
  // Nothing is canceled of a payment that is approved.
  const kinds = (Object.keys(CARDS) as Behavior[]).filter(
    (behavior) => isDeep || call !== 'cancel' || behavior !== 'approve',
  )
  // After a confirmation the money is decided, and half of the faults are left to the other of these calls.
  const isLater = call === 'read' || call === 'cancel'
  const faults = CASES.filter((_case, at) => isDeep || !isLater || at % 2 === offset % 2)
  const behaviors = kinds.map((behavior, turn) => {
    const isTurn = (at: number) => (at + offset) % kinds.length === turn
    return { behavior, cases: faults.filter((_case, at) => isDeep || isTurn(at)) }
  })
  return { call, behaviors }
})

describe.each(MATRIX)('a fault in $call', ({ call, behaviors }) => {
  describe.each(behaviors)('of a payment to $behavior', ({ behavior, cases }) => {
    it.each(cases)('$fault, $times times, late $late, ends in one outcome', async (given) => {
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
  const rounds = repetitions(10, 30)
  for (let round = 0; round < rounds; round += 1) {
    fake.requests.length = 0
    const order = newOrder('approve')
    const pay = () => orUnknown(newAdapter().pay(order))
    const cancel = () => orUnknown(newAdapter().cancel(order.operation))
    // The first one certainly comes before the payment, and the last one after it.
    const cancellation = round === 0 ? await cancel() : undefined
    const payment = pay()
    await (round === rounds - 1 ? payment : sleep((round * 30) / rounds))
    const [paid, canceled] = await Promise.all([payment, cancellation ?? cancel()])
    const end = await reconcile(order.operation)
    for (const each of [paid, canceled])
      if (isFinal(each)) expect(each).toMatchObject({ status: end.status })
    await expectSettled(order.operation, end)
    outcomes.add(end.status)
  }
  expect(outcomes).toEqual(new Set(['APPROVED', 'DECLINED']))
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
