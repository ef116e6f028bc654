import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import {
  stubCapabilities,
  stubProcessor,
  sandboxRecord,
  DAY_MS,
  type Json,
  openPaymentsClient,
  errorSummary,
  eventsDuring,
} from '../../test/payments-client.ts'
import { CARDS } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** Letting go of what an authorization reserves. */

const app = await startTestApp()
const { deps } = app.checkstand
const client = openPaymentsClient(app)
const { api } = app.merchant
const NOTHING_OPEN = [400, 'INVALID_STATE', 'Authorization has no open amount']

async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}
const released = async (named: string): Promise<Json> => {
  const response = await client.release(named)
  expect(response.status, response.text).toBe(200)
  return response.json.void
}
const readVoid = async (id: string) => (await api(`/voids/${id}`)).json.void
const state = async (id: string) => {
  const { status, captured_amount, open_amount } = await client.read(id)
  return [status, captured_amount, open_amount]
}

describe('a void', () => {
  it('releases the whole amount and sets the authorization to VOIDED', async () => {
    const auth = await client.authorise(CARDS.approve, { alt_key: 'Let go' })
    const events = await eventsDuring(app, async () => {
      const one = await released('LET GO')
      expect(one).toEqual({
        id: one.id,
        payment: auth.id,
        transaction: one.transaction,
        amount: '100.00',
        currency: 'EUR',
        status: 'SUCCESS',
        gateway_status: 'APPROVED',
        gateway_message: null,
        processed: one.created,
        created: one.created,
        updated: one.created,
        v: 2,
      })
      expect(one.id).toMatch(/^vo_[0-9]+_[0-9a-z]+$/)
      expect(await readVoid(one.id)).toEqual(one)
      const { transaction } = (await api(`/voids/${one.id}?expand=transaction`)).json.void
      expect(transaction).toMatchObject({
        id: one.transaction,
        type: 'VOID',
        payment: one.id,
        status: 'SUCCESS',
        amount: '100.00',
      })
    })
    expect(events).toEqual([`payment.voided ${auth.v + 2}`])
    expect(await state(auth.id)).toEqual(['VOIDED', '0.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      reserved: 10_000,
      captured: 0,
      released: 10_000,
    })
    expect(errorSummary(await client.release(auth.id))).toEqual(NOTHING_OPEN)
    expect(errorSummary(await client.release('let go'))[0]).toBe(404)
  })

  it('after a partial capture releases the rest and keeps the capture', async () => {
    const auth = await client.authorise()
    const { capture } = (await client.capture(auth.id, { amount: '30.00' })).json
    expect((await released(auth.id)).amount).toBe('70.00')
    expect(await state(auth.id)).toEqual(['SUCCESS', '30.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
    })
    expect((await client.refund(capture.id)).json.refund.amount).toBe('30.00')
  })

  it.each([
    ['no body', {}],
    ['an empty object', { body: {} }],
    ['an empty void', { body: { void: {} } }],
    ['null', { body: { void: null } }],
  ])('can be requested with %s', async (_what, call) => {
    const auth = await client.authorise()
    const response = await api(`/payments/${auth.id}/void`, { method: 'POST', ...call })
    expect(response.json.void.status).toBe('SUCCESS')
  })

  it('accepts no amount', async () => {
    const auth = await client.authorise()
    const body = { void: { amount: '1.00' } }
    expect(errorSummary(await api(`/payments/${auth.id}/void`, { body }))).toEqual([
      400,
      'INVALID_REQUEST',
      'Unknown field void.amount',
    ])
  })
})

describe('a void that is refused', () => {
  it('for a record that is not an authorization', async () => {
    const payment = await client.pay(CARDS.approve, { alt_key: 'a payment' })
    const auth = await client.authorise()
    const { capture } = (await client.capture(auth.id)).json
    for (const idOrKey of [payment.id, 'a payment', capture.id, capture.transaction, 'vo_1_a']) {
      expect(errorSummary(await client.release(idOrKey))).toEqual([
        404,
        'NOT_FOUND',
        'Payment not found',
      ])
    }
  })

  it('for an authorization without an open amount', async () => {
    const all = await client.authorise()
    await client.capture(all.id)
    const declined = await client.authorise(CARDS.decline)
    const old = await client.authorise()
    app.pass(7 * DAY_MS)
    for (const { id } of [all, declined, old]) {
      const before = await client.read(id)
      expect(errorSummary(await client.release(id))).toEqual(NOTHING_OPEN)
      expect(await client.read(id)).toEqual(before)
    }
  })

  it('by a processor that cannot void', async () => {
    stubCapabilities(app, { void: false })
    const auth = await client.authorise()
    expect(errorSummary(await client.release(auth.id))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox cannot void an authorization',
    ])
  })
})

describe('a void that the processor declines or leaves open', () => {
  it.each([
    [
      { status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' },
      { status: 'DECLINED', gateway_status: 'DECLINED', gateway_message: 'No' },
    ],
    [
      { status: 'ERROR', message: 'Down' },
      { status: 'DECLINED', gateway_status: 'DECLINED_ERROR', gateway_message: 'Down' },
    ],
  ])('%j makes the amount capturable again', async (answer, expected) => {
    const auth = await client.authorise()
    stubProcessor(app, () => ({ void: async () => answer as never }))
    expect(await released(auth.id)).toMatchObject({ ...expected, v: 2 })
    expect(await state(auth.id)).toEqual(['SUCCESS', '0.00', '100.00'])
  })

  it.each([
    ['reached it', 'SUCCESS', ['VOIDED', '0.00', '0.00'], 10_000],
    ['did not reach it', 'DECLINED', ['SUCCESS', '0.00', '100.00'], 0],
  ])('is settled to the real outcome when the request %s', async (_what, status, after, gone) => {
    const auth = await client.authorise()
    stubProcessor(app, (real) => ({
      void: async (order) => {
        if (gone > 0) await real.void(order)
        throw new Error('connection reset')
      },
    }))
    const one = await released(auth.id)
    expect(one).toMatchObject({
      status: 'UNRESOLVED',
      gateway_status: 'UNRESOLVED',
      processed: null,
    })
    expect(await state(auth.id)).toEqual(['SUCCESS', '0.00', '0.00'])
    expect(errorSummary(await client.capture(auth.id))).toEqual(NOTHING_OPEN)
    await later(5_000)
    expect(await readVoid(one.id)).toMatchObject({ status, v: 3 })
    expect(await state(auth.id)).toEqual(after)
    expect((await sandboxRecord(app, auth.gateway_reference)).voids).toBe(gone)
  })
})

describe('a void beside a capture that fails', () => {
  it('releases only the amount open at that time, and a second void the rest', async () => {
    const auth = await client.authorise()
    const lost = () => Promise.reject(new Error('connection reset'))
    let unknown: string | undefined
    stubProcessor(app, (real) => ({
      capture: lost,
      void: async (order) => {
        const response = await real.void(order)
        if (unknown !== undefined) return response
        unknown = order.operation
        throw new Error('connection reset')
      },
      query: async (operation) => (operation === unknown ? lost() : real.query(operation)),
    }))
    // A capture of 60.00 is in progress, so 40.00 can be voided. The response is lost.
    await client.capture(auth.id, { amount: '60.00' })
    const first = await released(auth.id)
    expect([first.amount, first.status]).toEqual(['40.00', 'UNRESOLVED'])
    // The capture turns out never to have arrived, before it is known that the void did.
    await later(5_000)
    expect(await state(auth.id)).toEqual(['SUCCESS', '0.00', '60.00'])
    unknown = ''
    await later(3_600_000)
    expect((await readVoid(first.id)).status).toBe('SUCCESS')
    expect(await state(auth.id)).toEqual(['SUCCESS', '0.00', '60.00'])
    expect((await released(auth.id)).amount).toBe('60.00')
    expect(await state(auth.id)).toEqual(['VOIDED', '0.00', '0.00'])
    expect((await sandboxRecord(app, auth.gateway_reference)).released).toBe(10_000)
  })
})
