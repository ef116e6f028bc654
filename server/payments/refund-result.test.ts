import { describe, expect, it } from 'vitest'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { startTestApp } from '../../test/app.ts'
import {
  stubCapabilities,
  stubProcessor,
  sandboxRecord,
  type Json,
  openPaymentsClient,
  errorSummary,
  eventsDuring,
} from '../../test/payments-client.ts'
import { reconcileDue } from './reconcile.ts'

/** What became of a refund. */

const app = await startTestApp()
const { deps } = app.checkstand
const client = openPaymentsClient(app)
const { api } = app.merchant

async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}
const left = async ({ id }: Json) => (await client.read(id)).refundable_amount
const read = async (id: string) => (await api(`/refunds/${id}`)).json.refund
const decide = (id: string, status: string) =>
  api(`/refunds/${id}`, { method: 'PUT', body: { refund: { status } } })

const refused = (code: 'DECLINED' | 'INVALID_METHOD'): ProcessorResponse => ({
  status: 'DECLINED',
  reference: null,
  code,
  message: 'No',
})
const silence: Processor['refund'] = () => Promise.reject(new Error('connection reset'))

describe('the response of the processor', () => {
  it.each<[string, ProcessorResponse | 'NOTHING', Json, string, string]>([
    [
      'approved',
      { status: 'APPROVED', reference: 'sref_1' },
      { status: 'SUCCESS', gateway_status: 'APPROVED', gateway_message: null, processed: true },
      '4.00',
      'refund.success 2',
    ],
    [
      'pending',
      { status: 'PENDING', reference: 'sref_2', check_after_ms: 60_000 },
      { status: 'PENDING', gateway_status: 'PENDING', gateway_message: null, processed: false },
      '4.00',
      'refund.pending 2',
    ],
    [
      'declined',
      refused('DECLINED'),
      { status: 'DECLINED', gateway_status: 'DECLINED', gateway_message: 'No', processed: true },
      '10.00',
      'refund.declined 2',
    ],
    [
      'in error',
      { status: 'ERROR', message: 'Down' },
      {
        status: 'DECLINED',
        gateway_status: 'DECLINED_ERROR',
        gateway_message: 'Down',
        processed: true,
      },
      '10.00',
      'refund.declined 2',
    ],
    [
      'silent',
      'NOTHING',
      {
        status: 'UNRESOLVED',
        gateway_status: 'UNRESOLVED',
        gateway_message: null,
        processed: false,
      },
      '4.00',
      'refund.unresolved 2',
    ],
    [
      'without the method',
      refused('INVALID_METHOD'),
      {
        status: 'INVALID_PAYMENT_METHOD',
        gateway_status: 'DECLINED',
        gateway_message: 'No',
        processed: true,
      },
      '10.00',
      'refund.declined 2',
    ],
  ])('%s', async (_what, answer, { processed, ...expected }, refundable, event) => {
    const payment = await client.pay()
    stubProcessor(app, () => ({
      refund: answer === 'NOTHING' ? silence : async () => answer,
    }))
    const events = await eventsDuring(app, async () => {
      const { refund } = (await client.refund(payment.id, { amount: '6.00' })).json
      expect(refund).toMatchObject({ ...expected, manual: false, offline: false, v: 2 })
      expect(refund.processed).toBe(processed ? refund.created : null)
      expect(await read(refund.id)).toEqual(refund)
    })
    expect(events).toEqual([event])
    expect(await left(payment)).toBe(refundable)
    // Nothing that is open stays behind for the next test.
    await later(60_000)
  })

  it.each([
    ['reached it', 'SUCCESS', '4.00', 600],
    ['did not reach it', 'DECLINED', '10.00', 0],
  ])('is queried when it is lost and the request %s', async (_what, status, refundable, given) => {
    const payment = await client.pay()
    stubProcessor(app, (real) => ({
      refund: async (order) => {
        if (given > 0) await real.refund(order)
        throw new Error('connection reset')
      },
    }))
    const { refund } = (await client.refund(payment.id, { amount: '6.00' })).json
    expect(refund.status).toBe('UNRESOLVED')
    await later(4_999)
    expect((await read(refund.id)).v).toBe(2)
    const events = await eventsDuring(app, () => later(1))
    expect(events).toEqual([`refund.${status.toLowerCase()} 3`])
    expect(await read(refund.id)).toMatchObject({ status, v: 3 })
    expect(await left(payment)).toBe(refundable)
    expect((await sandboxRecord(app, payment.gateway_reference)).refunds).toBe(given)
    expect(await eventsDuring(app, () => later(86_400_000))).toEqual([])
  })

  it('decides a pending refund later', async () => {
    const payment = await client.pay()
    stubProcessor(app, () => ({
      refund: async () => ({ status: 'PENDING', reference: 'sref_3', check_after_ms: 1_000 }),
      query: async () => refused('DECLINED'),
    }))
    const { refund } = (await client.refund(payment.id)).json
    expect(errorSummary(await client.refund(payment.id))[1]).toBe('INVALID_STATE')
    await later(1_000)
    expect(await read(refund.id)).toMatchObject({ status: 'DECLINED', gateway_message: 'No' })
    expect(await left(payment)).toBe('10.00')
  })
})

describe('an offline refund', () => {
  it('succeeds at once without a call to the processor', async () => {
    const payment = await client.pay()
    stubProcessor(app, () => ({ refund: () => Promise.reject(new Error('was asked')) }))
    const events = await eventsDuring(app, async () => {
      const { refund } = (await client.refund(payment.id, { offline: true, amount: '3.00' })).json
      expect(refund).toMatchObject({
        status: 'SUCCESS',
        gateway_status: 'MANUAL',
        gateway_message: null,
        manual: true,
        offline: true,
        processed: refund.created,
        source_transaction: payment.transaction,
        v: 1,
      })
    })
    expect(events).toEqual(['refund.success 1'])
    expect(await left(payment)).toBe('7.00')
    expect((await sandboxRecord(app, payment.gateway_reference)).refunds).toBe(0)
  })

  it('cannot exceed the refundable amount', async () => {
    const payment = await client.pay()
    await client.refund(payment.id, { amount: '3.00' })
    const response = await client.refund(payment.id, { offline: true, amount: '7.01' })
    expect(errorSummary(response)[1]).toBe('INVALID_STATE')
    expect((await client.refund(payment.id, { offline: true })).json.refund.amount).toBe('7.00')
  })
})

describe('a refund that the processor cannot make', () => {
  async function byHand(): Promise<{ payment: Json; refund: Json }> {
    stubCapabilities(app, { refund: false, partial_refund: false, multiple_refunds: false })
    const payment = await client.pay()
    const { refund } = (await client.refund(payment.id, { amount: '6.00' })).json
    expect(refund).toMatchObject({
      status: 'PENDING',
      gateway_status: 'MANUAL',
      manual: true,
      offline: false,
      processed: null,
      v: 1,
    })
    return { payment, refund }
  }

  it.each([
    ['SUCCESS', '4.00'],
    ['DECLINED', '10.00'],
  ])('waits for an operator’s decision of %s', async (status, refundable) => {
    const { payment, refund } = await byHand()
    expect(await left(payment)).toBe('4.00')
    await later(86_400_000)
    expect(await read(refund.id)).toEqual(refund)
    const events = await eventsDuring(app, async () => {
      expect((await decide(refund.id, status)).json.refund).toMatchObject({
        status,
        gateway_status: 'MANUAL',
        manual: true,
        processed: new Date(app.now()).toISOString(),
        v: 2,
      })
      expect((await decide(refund.id, status)).json.refund.v).toBe(2)
    })
    expect(events).toEqual([`refund.${status.toLowerCase()} 2`])
    expect(await left(payment)).toBe(refundable)
    const other = status === 'SUCCESS' ? 'DECLINED' : 'SUCCESS'
    expect(errorSummary(await decide(refund.id, other))).toEqual([
      400,
      'INVALID_STATE',
      'Refund is not a pending manual refund',
    ])
    expect(await left(payment)).toBe(refundable)
  })

  it('records a pending event', async () => {
    expect(await eventsDuring(app, byHand)).toEqual(['payment.success 2', 'refund.pending 1'])
  })

  it('is decided once by concurrent decisions', async () => {
    const { payment, refund } = await byHand()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => decide(refund.id, n % 2 ? 'SUCCESS' : 'DECLINED')),
    )
    const { status, v } = await read(refund.id)
    expect(v).toBe(2)
    expect(responses.filter((answer) => answer.status === 200)).toHaveLength(5)
    expect(await left(payment)).toBe(status === 'SUCCESS' ? '4.00' : '10.00')
  })

  it('is the only kind that an operator decides', async () => {
    const payment = await client.pay()
    const { refund } = (await client.refund(payment.id, { amount: '1.00' })).json
    for (const status of ['SUCCESS', 'DECLINED']) {
      expect(errorSummary(await decide(refund.id, status))[1]).toBe('INVALID_STATE')
    }
    for (const id of ['ref_1_a', 'nobody', '%00', payment.id]) {
      expect(errorSummary(await decide(id, 'SUCCESS'))).toEqual([
        404,
        'NOT_FOUND',
        'Refund not found',
      ])
    }
    expect(errorSummary(await decide(refund.id, 'PENDING'))[2]).toBe(
      'refund.status must be SUCCESS or DECLINED',
    )
  })
})
