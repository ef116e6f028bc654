import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import {
  DAY_MS,
  type Json,
  errorSummary,
  chargedDuring,
  eventsDuring,
} from '../../test/payments-client.ts'
import { collectDue } from './collect-due-charges.ts'

/** Payments that are due later, and what may become of them before. */

const { app, deps, api, client, later, saveCard, paymentsOf } = await startPaymentsApp()
const { inDays, readCharge, putCharge, putContract } = testCharges(app)
const { account, method } = await client.storeCard()

/** Announces 10.00 EUR for tomorrow. */
const announce = (more: Record<string, unknown> = {}): Promise<Json> =>
  client.pay(undefined, { payment_method: method, due: inDays(1), ...more })

describe('a payment that is due later', () => {
  it('charges nothing now and creates a charge with the terms', async () => {
    const due = inDays(1)
    let events: string[] = []
    const money = await chargedDuring(app, async () => {
      events = await eventsDuring(app, async () => {
        const payment = await announce({ alt_key: 'Rent 1', description: 'Rent', channel: 'web' })
        expect(payment).toMatchObject({
          type: 'PAYMENT',
          status: 'SCHEDULED',
          amount: '10.00',
          due,
          account,
          payment_method: method,
          transaction: null,
          gateway_status: null,
          processed: null,
          refundable_amount: '0.00',
          alt_key: 'Rent 1',
          v: 1,
        })
        expect(payment.parts).toEqual([{ charge: payment.charge, amount: '10.00' }])
        expect(await readCharge(payment.charge)).toMatchObject({
          alt_key: 'Rent 1',
          account,
          amount: '10.00',
          outstanding_amount: '10.00',
          due,
          recurring: 'N',
          status: 'ACTIVE',
          description: 'Rent',
          payment_method: method,
          next_attempt: due,
          last_payment: null,
        })
        expect((await readCharge('RENT 1')).id).toBe(payment.charge)
      })
    })
    expect(money).toEqual([])
    expect(events).toEqual(['charge.created 1', 'payment.scheduled 1'])
    await later(DAY_MS)
  })

  it('is collected when it is due and not a millisecond before', async () => {
    const payment = await announce()
    expect(await chargedDuring(app, () => later(DAY_MS - 1))).toEqual([])
    expect((await client.read(payment.id)).status).toBe('SCHEDULED')
    let events: string[] = []
    const money = await chargedDuring(app, async () => {
      events = await eventsDuring(app, () => later(1))
    })
    expect(money).toEqual([1_000])
    expect(events).toContain('payment.success 3')
    expect(events).toContain('charge.paid 3')
    const paid = await client.read(payment.id, '?expand=transaction')
    expect(paid).toMatchObject({ status: 'SUCCESS', v: 3, processed: payment.due })
    expect(paid.transaction).toMatchObject({
      type: 'PAYMENT',
      status: 'SUCCESS',
      amount: '10.00',
      charge: payment.charge,
      account,
      payment_method: method,
    })
    expect(await readCharge(payment.charge)).toMatchObject({
      status: 'PAID',
      paid_amount: '10.00',
      last_payment: payment.id,
      next_attempt: null,
      attempts: 1,
    })
    expect(await paymentsOf(payment.charge)).toHaveLength(1)
    expect(await chargedDuring(app, () => later(30 * DAY_MS))).toEqual([])
    expect((await client.refund(payment.id)).json.refund.parts).toEqual(payment.parts)
  })

  it('is collected once by two concurrent servers', async () => {
    const payments = await Promise.all([1, 2, 3, 4].map(() => announce()))
    app.pass(DAY_MS)
    const money = await chargedDuring(app, () =>
      Promise.all([collectDue(deps), collectDue(deps), collectDue(deps)]),
    )
    expect(money).toEqual(payments.map(() => 1_000))
    for (const { id } of payments) expect((await client.read(id)).status).toBe('SUCCESS')
  })

  it('can be neither refunded nor captured before', async () => {
    const payment = await announce({ alt_key: 'not yet' })
    for (const idOrKey of [payment.id, 'not yet']) {
      for (const offline of [false, true]) {
        expect(errorSummary(await client.refund(idOrKey, { offline })).slice(0, 2)).toEqual([
          400,
          'INVALID_STATE',
        ])
      }
      expect(errorSummary(await client.capture(idOrKey))[0]).toBe(404)
      expect(errorSummary(await client.release(idOrKey))[0]).toBe(404)
    }
    await later(DAY_MS)
  })

  it.each([{ token: 'tok_a' }, { token: 'tok_a', save: true }])(
    'is refused with the new method %j',
    async (payment_method) => {
      const sent = { amount: '10.00', currency: 'EUR', account, due: inDays(1), payment_method }
      expect(errorSummary(await client.send(sent))[2]).toBe(
        'payment.payment_method must be a stored method when the payment is due later',
      )
    },
  )
})

describe('a charge that changes before it is due', () => {
  it('written off is not collected, and its payment is CANCELLED at once', async () => {
    const payment = await announce()
    const events = await eventsDuring(app, () =>
      putCharge(payment.charge, { status: 'WRITTENOFF' }),
    )
    expect(events).toEqual(['charge.writtenoff 2', 'payment.cancelled 2'])
    expect(await client.read(payment.id)).toMatchObject({
      status: 'CANCELLED',
      processed: new Date(app.now()).toISOString(),
      v: 2,
    })
    const money = await chargedDuring(app, async () => {
      expect(await eventsDuring(app, () => later(2 * DAY_MS))).toEqual([])
    })
    expect(money).toEqual([])
  })

  it('reactivated gets a new payment at once, which is collected when it is due', async () => {
    const payment = await announce({ alt_key: 'again', description: 'Rent', channel: 'web' })
    await putCharge(payment.charge, { status: 'WRITTENOFF' })
    app.pass(1000)
    const events = await eventsDuring(app, () => putCharge(payment.charge, { status: 'ACTIVE' }))
    expect(events).toEqual(['charge.reactivated 3', 'payment.scheduled 1'])
    const [first, second] = await paymentsOf(payment.charge)
    expect([first.id, first.status]).toEqual([payment.id, 'CANCELLED'])
    const { id, reference, created, updated } = second
    expect(second).toEqual({ ...payment, id, reference, created, updated })
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    expect([(await client.read(id)).status, (await client.read(payment.id)).status]).toEqual([
      'SUCCESS',
      'CANCELLED',
    ])
    expect(await paymentsOf(payment.charge)).toHaveLength(2)
  })

  it('reactivated after its payment was canceled is collected by a new one', async () => {
    const payment = await announce()
    await putCharge(payment.charge, { status: 'WRITTENOFF' })
    await later(DAY_MS)
    await putCharge(payment.charge, { status: 'ACTIVE' })
    expect(await chargedDuring(app, () => later(0))).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('CANCELLED')
    const [, second] = await paymentsOf(payment.charge)
    expect(second).toMatchObject({ status: 'SUCCESS', due: null })
  })

  it('is collected with its amount at that time', async () => {
    const payment = await announce()
    const events = await eventsDuring(app, () => putCharge(payment.charge, { amount: '15.00' }))
    expect(events).toEqual(['charge.updated 2', 'payment.scheduled 2'])
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SCHEDULED',
      amount: '15.00',
      parts: [{ charge: payment.charge, amount: '15.00' }],
    })
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_500])
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SUCCESS',
      amount: '15.00',
      refundable_amount: '15.00',
      parts: [{ charge: payment.charge, amount: '15.00' }],
    })
  })

  it('due later is collected later by the same payment', async () => {
    const payment = await announce()
    await putCharge(payment.charge, { due: inDays(3) })
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SCHEDULED',
      due: inDays(3),
      v: 2,
    })
    expect(await chargedDuring(app, () => later(2 * DAY_MS))).toEqual([])
    expect((await client.read(payment.id)).status).toBe('SCHEDULED')
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    const { due } = await readCharge(payment.charge)
    expect(await client.read(payment.id)).toMatchObject({ status: 'SUCCESS', due })
  })

  it('due at once is collected at once', async () => {
    const payment = await announce()
    await putCharge(payment.charge, { due: inDays(-1) })
    expect(await chargedDuring(app, () => later(0))).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
  })

  it('paid in part by request is collected for the rest', async () => {
    const payment = await announce()
    await client.pay(undefined, {
      amount: '4.00',
      payment_method: method,
      parts: [{ charge: payment.charge, amount: '4.00' }],
    })
    expect(await client.read(payment.id)).toMatchObject({ status: 'SCHEDULED', amount: '6.00' })
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([600])
    expect((await client.read(payment.id)).amount).toBe('6.00')
    expect((await readCharge(payment.charge)).status).toBe('PAID')
  })

  it('paid by request is not collected, and its payment is CANCELLED', async () => {
    const payment = await announce()
    await client.pay(undefined, {
      payment_method: method,
      parts: [{ charge: payment.charge, amount: '10.00' }],
    })
    expect((await client.read(payment.id)).status).toBe('CANCELLED')
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([])
    expect((await client.read(payment.id)).status).toBe('CANCELLED')
  })

  it('with a declined payment of a part is collected whole', async () => {
    const payment = await announce()
    const declined = await client.pay(CARDS.decline, {
      account,
      parts: [{ charge: payment.charge, amount: '4.00' }],
    })
    expect(declined.status).toBe('DECLINE')
    expect(await client.read(payment.id)).toEqual(payment)
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
  })

  it('without a due time is not collected and gets a payment with a new due time', async () => {
    const payment = await announce()
    await putCharge(payment.charge, { due: null })
    expect((await client.read(payment.id)).status).toBe('CANCELLED')
    app.pass(1000)
    await putCharge(payment.charge, { due: inDays(2) })
    const [, second] = await paymentsOf(payment.charge)
    expect(second).toMatchObject({ status: 'SCHEDULED', due: inDays(2), amount: '10.00' })
    expect(await chargedDuring(app, () => later(2 * DAY_MS))).toEqual([1_000])
    expect((await client.read(second.id)).status).toBe('SUCCESS')
  })

  it('raised after it was paid by request gets a payment for the rest', async () => {
    const payment = await announce()
    await client.pay(undefined, {
      payment_method: method,
      parts: [{ charge: payment.charge, amount: '10.00' }],
    })
    app.pass(1000)
    await putCharge(payment.charge, { amount: '12.00' })
    const scheduled = (await paymentsOf(payment.charge)).filter(
      ({ status }) => status === 'SCHEDULED',
    )
    expect(scheduled).toMatchObject([{ amount: '2.00', due: payment.due }])
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([200])
  })

  it('of a contract uses its method and is canceled with it', async () => {
    const { account: theirs, method: first } = await client.storeCard()
    const payment = await announce({ payment_method: first, recurring: { frequency: 'MONTH' } })
    const second = await saveCard(theirs)
    const changed = await putContract(payment.contract, { payment_method: second })
    expect(changed.status).toBe(200)
    expect(await client.read(payment.id)).toMatchObject({
      status: 'SCHEDULED',
      payment_method: second,
    })
    const events = await eventsDuring(app, () =>
      api(`/contracts/${payment.contract}`, { method: 'DELETE' }),
    )
    expect(events).toContain('payment.cancelled 3')
    expect((await client.read(payment.id)).status).toBe('CANCELLED')
  })
})
