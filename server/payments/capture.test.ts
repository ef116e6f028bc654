import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import {
  NOTHING_OPEN,
  PAYMENT_NOT_FOUND,
  refusal,
  startPaymentsApp,
} from '../../test/payments-app.ts'
import {
  sandboxRecord,
  DAY_MS,
  type Json,
  errorSummary,
  chargedDuring,
} from '../../test/payments-client.ts'

/** Taking what an authorization reserved. */

const { app, api, client, captured } = await startPaymentsApp()

const amounts = async (id: string) => {
  const { captured_amount, open_amount } = await client.read(id)
  return [captured_amount, open_amount]
}

describe('a capture', () => {
  it('captures the open amount once, as a payment of its own', async () => {
    const { account, method } = await client.storeCard()
    const auth = await client.authorise(undefined, {
      payment_method: method,
      alt_key: 'Order 1',
      description: 'Two chairs',
      channel: 'phone',
      metadata: { a: '1' },
      source: 'MOTO',
    })
    let capture: Json
    const charged = await chargedDuring(app, async () => {
      capture = await captured(auth.id)
    })
    expect(charged).toEqual([10_000])
    expect(capture).toMatchObject({
      type: 'CAPTURE',
      status: 'SUCCESS',
      amount: '100.00',
      currency: 'EUR',
      authorisation: auth.id,
      captured_amount: null,
      open_amount: null,
      refunded_amount: '0.00',
      refundable_amount: '100.00',
      alt_key: 'Order 1',
      description: 'Two chairs',
      channel: 'phone',
      metadata: { a: '1' },
      source: 'MOTO',
      account,
      payment_method: method,
      gateway_status: 'APPROVED',
      processed: capture.created,
      v: 2,
    })
    expect(await client.read(auth.id)).toMatchObject({
      status: 'SUCCESS',
      captured_amount: '100.00',
      open_amount: '0.00',
      v: auth.v + 1,
    })
    expect(errorSummary(await client.capture(auth.id))).toEqual(NOTHING_OPEN)
    expect((await api(`/captures/${capture.id}`)).json.capture).toEqual(capture)
    expect((await client.read(capture.id, '?expand=transaction')).transaction).toMatchObject({
      type: 'CAPTURE',
      payment: capture.id,
      amount: '100.00',
      status: 'SUCCESS',
      account,
    })
  })

  it('can be one of several, up to the last minor unit', async () => {
    const auth = await client.authorise()
    await captured(auth.id, { amount: '30.00', alt_key: 'first', description: 'One chair' })
    expect(await amounts(auth.id)).toEqual(['30.00', '70.00'])
    expect(errorSummary(await client.capture(auth.id, { amount: '70.01' }))).toEqual(
      refusal('INVALID_STATE', 'capture.amount must be at most the open amount (70.00 EUR)'),
    )
    await captured(auth.id, { amount: '69.99' })
    await captured(auth.id, { amount: '0.01' })
    expect(await amounts(auth.id)).toEqual(['100.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 10_000,
      captures: 10_000,
      released: 0,
    })
    expect((await client.read('first')).description).toBe('One chair')
  })

  it('by alt_key captures the newest authorization with an open amount', async () => {
    const [older, newer] = [
      await client.authorise(CARDS.approve, { alt_key: 'Same' }),
      (app.pass(1_000), await client.authorise(CARDS.approve, { alt_key: 'Same' })),
    ]
    app.pass(1_000)
    await client.authorise(CARDS.decline, { alt_key: 'Same' })
    await client.pay(CARDS.approve, { alt_key: 'Same' })
    expect((await captured('SAME')).authorisation).toBe(newer.id)
    expect((await captured('same')).authorisation).toBe(older.id)
    expect(errorSummary(await client.capture('same'))).toEqual(PAYMENT_NOT_FOUND)
  })

  it('by transaction id captures the authorization', async () => {
    const auth = await client.authorise()
    expect((await captured(auth.transaction)).authorisation).toBe(auth.id)
  })

  it('in a currency without decimals captures whole units', async () => {
    const auth = await client.authorise(CARDS.approve, { currency: 'JPY', amount: '500' })
    expect(await captured(auth.id, { amount: '200.00' })).toMatchObject({ amount: '200' })
    expect(await amounts(auth.id)).toEqual(['200', '300'])
  })
})

describe('a capture that is refused', () => {
  it.each([
    [{ amount: '0' }, 'capture.amount must be more than zero'],
    [{ amount: 5 }, 'capture.amount must be a string'],
    [{ amount: '1.005' }, 'capture.amount has too many decimal places for EUR'],
    [{ currency: 'GBP' }, 'capture.currency must be EUR, as authorized'],
    [{ currency: 'euro' }, 'capture.currency must be three capital letters'],
    [{ final: 'yes' }, 'capture.final must be true or false'],
    [{ alt_key: 'ca_1_a' }, 'capture.alt_key must not have the form of an id'],
    [{ description: 'a\0b' }, 'capture.description must not contain the NUL character'],
    [{ amuont: '1.00' }, 'Unknown field capture.amuont'],
    ['all', 'capture must be an object'],
  ])('%j', async (capture, message) => {
    const auth = await client.authorise()
    expect(errorSummary(await client.capture(auth.id, capture))).toEqual(
      refusal('INVALID_REQUEST', message),
    )
    expect(await client.read(auth.id)).toEqual(auth)
  })

  it('for an authorization that was captured, declined or voided or has expired, like a void', async () => {
    const all = await client.authorise(CARDS.approve, { alt_key: 'all' })
    await captured(all.id)
    const declined = await client.authorise(CARDS.decline, { alt_key: 'declined' })
    const voided = await client.authorise(CARDS.approve, { alt_key: 'voided' })
    await client.release(voided.id)
    const old = await client.authorise(CARDS.approve, { alt_key: 'old' })
    app.pass(7 * DAY_MS - 1)
    expect((await client.read(old.id)).open_amount).toBe('100.00')
    await captured(old.id, { amount: '1.00' })
    app.pass(1)
    expect(await client.read(old.id)).toMatchObject({ status: 'SUCCESS', open_amount: '0.00' })
    for (const { id, alt_key } of [all, declined, voided, old]) {
      const before = await client.read(id)
      for (const operate of [client.capture, client.release]) {
        expect(errorSummary(await operate(id))).toEqual(NOTHING_OPEN)
        expect(errorSummary(await operate(alt_key))).toEqual(PAYMENT_NOT_FOUND)
      }
      expect(await client.read(id)).toEqual(before)
    }
  })
})
