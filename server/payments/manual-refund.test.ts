import { describe, expect, it } from 'vitest'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubCapabilities,
  sandboxRecord,
  type Json,
  errorSummary,
  eventsDuring,
} from '../../test/payments-client.ts'

/** Refunds that no processor makes: offline ones, and those that an operator makes by hand. */

const { app, api, client, later, bend, refunded } = await startPaymentsApp()

const left = async ({ id }: Json) => (await client.read(id)).refundable_amount
const read = async (id: string) => (await api(`/refunds/${id}`)).json.refund
const decide = (id: string, status: string) =>
  api(`/refunds/${id}`, { method: 'PUT', body: { refund: { status } } })

describe('an offline refund', () => {
  it('succeeds at once without a call to the processor', async () => {
    const payment = await client.pay()
    bend('refund', 'REQUEST LOST')
    const events = await eventsDuring(app, async () => {
      const refund = await refunded(payment.id, { offline: true, amount: '3.00' })
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
    expect((await refunded(payment.id, { offline: true })).amount).toBe('7.00')
  })
})

describe('a refund that the processor cannot make', () => {
  async function byHand(): Promise<{ payment: Json; refund: Json }> {
    stubCapabilities(app, { refund: false, partial_refund: false, multiple_refunds: false })
    const payment = await client.pay()
    const refund = await refunded(payment.id, { amount: '6.00' })
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
    expect(errorSummary(await decide(refund.id, other))).toEqual(
      refusal('INVALID_STATE', 'Refund is not a pending manual refund'),
    )
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
    const refund = await refunded(payment.id, { amount: '1.00' })
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
