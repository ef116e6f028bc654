import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  stubProcessor,
  type Json,
  openPaymentsClient,
  eventsDuring,
  recordedEvents,
} from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/**
 * What merchants are told of their money, and the transactions that are kept of it: one for each
 * operation, and one version for each change.
 */

const app = await startTestApp()
const { deps } = app.checkstand
const till = openPaymentsClient(app)
const { api } = app.merchant

async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}
const down = async () => ({ status: 'ERROR', message: 'Down' }) as const
const silent = () => Promise.reject(new Error('connection reset'))
const waiting = async () => ({ status: 'PENDING', reference: 'r', check_after_ms: 60_000 }) as const

type Act = () => Promise<unknown>

/** Each change of money: what it needs, and what is told of it, with the version of the record. */
const CHANGES: [what: string, prepare: () => Promise<Act> | Act, told: string[]][] = [
  ['a payment', () => () => till.pay(), ['payment.success 2']],
  ['a payment that is declined', () => () => till.pay(CARDS.decline), ['payment.decline 2']],
  ['a payment that is pending', () => () => till.pay(CARDS.pendingSuccess), ['payment.pending 2']],
  [
    'a pending payment that succeeds',
    async () => {
      await later(2_000)
      await till.pay(CARDS.pendingSuccess)
      return () => later(2_000)
    },
    ['payment.success 3'],
  ],
  [
    'a pending payment that fails',
    async () => {
      await till.pay(CARDS.pendingFailure)
      return () => later(2_000)
    },
    ['payment.decline 3'],
  ],
  [
    'a payment without an answer',
    () => () => till.pay(CARDS.noAnswerTaken),
    ['payment.unresolved 2'],
  ],
  [
    'a payment of which it becomes known that it is pending',
    async () => {
      await later(5_000)
      stubProcessor(app, () => ({ pay: silent, query: waiting }))
      await till.pay()
      return () => later(5_000)
    },
    ['payment.pending 3'],
  ],
  ['an authorisation', () => () => till.authorise(), ['payment.success 2']],
  [
    'a payment of a new account that keeps its card',
    async () => {
      const payment_method = { token: await cardToken(app, CARDS.approve), save: true }
      return () => till.pay(undefined, { account: { crm_key: 'keeps' }, payment_method })
    },
    ['account.created 1', 'account.updated 2', 'payment.success 2', 'payment_method.created 1'],
  ],
  [
    'a payment that changes its account and is declined',
    async () => {
      await api('/accounts', { body: { account: { crm_key: 'changes' } } })
      const account = { crm_key: 'changes', phone: '1' }
      return () => till.pay(CARDS.decline, { account })
    },
    ['account.updated 2', 'payment.decline 2'],
  ],
  [
    'a capture',
    async () => {
      const { id } = await till.authorise()
      return () => till.capture(id, { amount: '1.00' })
    },
    ['capture.success 2'],
  ],
  [
    'a final capture, with what it lets go',
    async () => {
      const { id } = await till.authorise()
      return () => till.capture(id, { amount: '1.00', final: true })
    },
    ['capture.success 2', 'payment.voided 5'],
  ],
  [
    'a capture that is declined',
    async () => {
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ capture: down }))
      return () => till.capture(id)
    },
    ['capture.decline 2'],
  ],
  [
    'a capture that is pending',
    async () => {
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ capture: waiting }))
      return () => till.capture(id)
    },
    ['capture.pending 2'],
  ],
  [
    'a capture without an answer, and then its outcome',
    async () => {
      await later(86_400_000)
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ capture: silent }))
      return async () => {
        await till.capture(id)
        await later(5_000)
      }
    },
    ['capture.decline 3', 'capture.unresolved 2'],
  ],
  [
    'a void',
    async () => {
      const { id } = await till.authorise()
      return () => till.release(id)
    },
    ['payment.voided 4'],
  ],
  [
    'a void that is declined',
    async () => {
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ void: down }))
      return () => till.release(id)
    },
    ['void.declined 2'],
  ],
  [
    'a void that is pending',
    async () => {
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ void: waiting }))
      return () => till.release(id)
    },
    ['void.pending 2'],
  ],
  [
    'a void without an answer, and then its outcome',
    async () => {
      await later(86_400_000)
      const { id } = await till.authorise()
      stubProcessor(app, () => ({ void: silent }))
      return async () => {
        await till.release(id)
        await later(5_000)
      }
    },
    ['void.declined 3', 'void.unresolved 2'],
  ],
  [
    'a refund',
    async () => {
      const { id } = await till.pay()
      return () => till.refund(id)
    },
    ['refund.success 2'],
  ],
  [
    'a request that is refused',
    async () => {
      const { id } = await till.pay()
      await till.refund(id)
      return async () => {
        await till.refund(id)
        await till.capture(id)
        await till.release(id)
        await till.send({ amount: '0' })
      }
    },
    [],
  ],
]

describe('a merchant is told', () => {
  it.each(CHANGES)('of %s exactly what happened', async (_what, prepare, told) => {
    const act = await prepare()
    expect(await eventsDuring(app, act)).toEqual(told)
  })

  it('the record as its GET answers it at that moment', async () => {
    const seen = new Set((await recordedEvents(app)).map(({ id }) => id))
    const next = async (type: string): Promise<Json> => {
      const fresh = (await recordedEvents(app)).filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      expect(fresh.map((event) => event.type)).toEqual([type])
      return fresh[0]?.data
    }
    const payment = await till.pay(CARDS.approve, { alt_key: 'as told', metadata: { a: '1' } })
    expect(await next('payment.success')).toEqual({ payment })
    const { refund } = (await till.refund(payment.id, { amount: '1.00' })).json
    expect(await next('refund.success')).toEqual({ refund })
    const auth = await till.authorise()
    expect(await next('payment.success')).toEqual({ payment: auth })
    const { capture } = (await till.capture(auth.id, { amount: '1.00' })).json
    expect(await next('capture.success')).toEqual({ capture })
    await till.release(auth.id)
    expect(await next('payment.voided')).toEqual({ payment: await till.read(auth.id) })
  })
})

describe('the versions of an authorisation', () => {
  it('grow by one with each change of it, and with nothing else', async () => {
    const { id } = await till.authorise()
    const versions = [(await till.read(id)).v]
    const after = async (act: () => Promise<unknown>) => {
      await act()
      versions.push((await till.read(id)).v)
    }
    await after(() => till.capture(id, { amount: '10.00' }))
    await after(() => till.capture(id, { amount: '1000.00' }))
    await after(() => till.refund(id))
    const { captures } = (await api(`/captures?criteria=authorisation=${id}`)).json
    await after(() => till.refund(captures[0].id))
    // Reserved and let go: two changes, of which both are seen by whoever reads in between.
    await after(() => till.release(id))
    expect(versions).toEqual([2, 3, 3, 3, 3, 5])
  })
})

describe('transactions', () => {
  it('are one for each operation at the processor, and none for what it is not asked', async () => {
    const { account, method } = await till.storeCard()
    const transactions = async () =>
      deps.db
        .selectFrom('transactions')
        .select(['type', 'payment_id', 'amount', 'status', 'account_id', 'v'])
        .where('account_id', '=', account)
        .where('amount', '<>', 100)
        .execute()
    const auth = await till.authorise(undefined, { payment_method: method })
    const { capture } = (await till.capture(auth.id, { amount: '30.00' })).json
    const { refund } = (await till.refund(capture.id, { amount: '2.00' })).json
    await till.refund(capture.id, { amount: '3.00', offline: true })
    await till.refund(capture.id, { amount: '4000.00' })
    const released = (await till.release(auth.id)).json.void
    stubProcessor(app, () => ({ pay: down }))
    const declined = await till.pay(undefined, { payment_method: method, amount: '7.00' })
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

  it('carry what the processor said', async () => {
    const payment = await till.pay(CARDS.decline)
    const { transaction } = await till.read(payment.id, '?expand=transaction')
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
