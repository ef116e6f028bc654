import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { DOWN, startPaymentsApp } from '../../test/payments-app.ts'
import { type Json, eventsDuring, recordedEvents } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/**
 * Events of payments, and the transactions of all operations: one for each operation, and one version
 * for each change. `create-payment-outcome.test.ts` has the events of payments whose outcome
 * comes later, `operation-outcome.test.ts` those of captures, refunds and voids.
 */

const kit = await startPaymentsApp()
const { app, deps, api, client, later, bend, captured, refunded } = kit

const nothing = async () => {}

/** Each change of money: its preparation, the change, and its events with the version of the record. */
const CHANGES: [string, () => Promise<unknown>, () => Promise<unknown>, string[]][] = [
  ['a payment', nothing, () => client.pay(), ['payment.success 2']],
  ['a declined payment', nothing, () => client.pay(CARDS.decline), ['payment.decline 2']],
  [
    'a payment of which it becomes known that it is pending',
    async () => {
      await later(5_000)
      bend('pay', 'REQUEST LOST')
      bend('query', { status: 'PENDING', reference: 'r', check_after_ms: 60_000 })
      await client.pay()
    },
    () => later(5_000),
    ['payment.pending 3'],
  ],
  ['an authorization', nothing, () => client.authorise(), ['payment.success 2']],
  [
    'a payment of a new account that keeps its card',
    nothing,
    async () => {
      const payment_method = { token: await cardToken(app, CARDS.approve), save: true }
      await client.pay(undefined, { account: { crm_key: 'keeps' }, payment_method })
    },
    ['account.created 1', 'account.updated 2', 'payment.success 2', 'payment_method.created 1'],
  ],
  [
    'a payment that changes its account and is declined',
    () => api('/accounts', { body: { account: { crm_key: 'changes' } } }),
    () => client.pay(CARDS.decline, { account: { crm_key: 'changes', phone: '1' } }),
    ['account.updated 2', 'payment.decline 2'],
  ],
  [
    'a final capture, with what it lets go',
    () => client.authorise(undefined, { alt_key: 'final' }),
    () => captured('final', { amount: '1.00', final: true }),
    ['capture.success 2', 'payment.voided 5'],
  ],
  [
    'requests that are refused',
    async () => refunded((await client.pay(undefined, { alt_key: 'refunded' })).id),
    async () => {
      await client.refund('refunded')
      await client.capture('refunded')
      await client.release('refunded')
      await client.send({ amount: '0' })
    },
    [],
  ],
]

describe('events', () => {
  it.each(CHANGES)('of %s are exactly its changes', async (_what, prepare, act, events) => {
    await prepare()
    expect(await eventsDuring(app, act)).toEqual(events)
  })

  it('have the record as its GET returns it at that moment', async () => {
    const seen = new Set((await recordedEvents(app)).map(({ id }) => id))
    const next = async (type: string): Promise<Json> => {
      const fresh = (await recordedEvents(app)).filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      expect(fresh.map((event) => event.type)).toEqual([type])
      return fresh[0]?.data
    }
    const payment = await client.pay(CARDS.approve, { alt_key: 'order-17', metadata: { a: '1' } })
    expect(await next('payment.success')).toEqual({ payment })
    const refund = await refunded(payment.id, { amount: '1.00' })
    expect(await next('refund.success')).toEqual({ refund })
    const auth = await client.authorise()
    expect(await next('payment.success')).toEqual({ payment: auth })
    const capture = await captured(auth.id, { amount: '1.00' })
    expect(await next('capture.success')).toEqual({ capture })
    await client.release(auth.id)
    expect(await next('payment.voided')).toEqual({ payment: await client.read(auth.id) })
  })
})

describe('the versions of an authorization', () => {
  it('increase by one with each of its changes only', async () => {
    const { id } = await client.authorise()
    const versions = [(await client.read(id)).v]
    const after = async (act: () => Promise<unknown>) => {
      await act()
      versions.push((await client.read(id)).v)
    }
    await after(() => client.capture(id, { amount: '10.00' }))
    await after(() => client.capture(id, { amount: '1000.00' }))
    await after(() => client.refund(id))
    const { captures } = (await api(`/captures?criteria=authorisation=${id}`)).json
    await after(() => client.refund(captures[0].id))
    // Reserved and released: two changes, both visible to a concurrent reader.
    await after(() => client.release(id))
    expect(versions).toEqual([2, 3, 3, 3, 3, 5])
  })
})

describe('transactions', () => {
  it('are one for each operation at the processor, and none for offline operations', async () => {
    const { account, method } = await client.storeCard()
    const transactions = async () =>
      deps.db
        .selectFrom('transactions')
        .select(['type', 'payment_id', 'amount', 'status', 'account_id', 'v'])
        .where('account_id', '=', account)
        .where('amount', '<>', 100)
        .execute()
    const auth = await client.authorise(undefined, { payment_method: method })
    const capture = await captured(auth.id, { amount: '30.00' })
    const refund = await refunded(capture.id, { amount: '2.00' })
    await client.refund(capture.id, { amount: '3.00', offline: true })
    await client.refund(capture.id, { amount: '4000.00' })
    const released = await kit.released(auth.id)
    bend('pay', DOWN)
    const declined = await client.pay(undefined, { payment_method: method, amount: '7.00' })
    const rows = (await transactions()).toSorted((a, b) => b.amount - a.amount)
    const common = { account_id: account, v: 2, status: 'SUCCESS' }
    expect(rows).toEqual([
      { ...common, type: 'AUTH', payment_id: auth.id, amount: 10_000 },
      { ...common, type: 'VOID', payment_id: released.id, amount: 7_000 },
      { ...common, type: 'CAPTURE', payment_id: capture.id, amount: 3_000 },
      { ...common, type: 'PAYMENT', payment_id: declined.id, amount: 700, status: 'DECLINE' },
      { ...common, type: 'REFUND', payment_id: refund.id, amount: 200 },
    ])
  })

  it('have the processor’s code and message', async () => {
    const payment = await client.pay(CARDS.decline)
    const { transaction } = await client.read(payment.id, '?expand=transaction')
    expect(transaction).toEqual({
      id: payment.transaction,
      type: 'PAYMENT',
      payment: payment.id,
      amount: '10.00',
      currency: 'EUR',
      status: 'DECLINE',
      gateway: 'sandbox',
      gateway_reference: payment.gateway_reference,
      gateway_status: 'DECLINED',
      gateway_message: 'The bank declined the payment.',
      processor: 'sandbox',
      account: null,
      contract: null,
      charge: null,
      payment_method: null,
      created: payment.created,
      processed: payment.processed,
      updated: payment.updated,
      v: 2,
    })
  })
})
