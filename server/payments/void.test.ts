import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
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
import { reconcileDue } from './reconcile.ts'

/** Letting go of what an authorization reserves. */

const app = await startTestApp()
const { deps } = app.checkstand
const till = openPaymentsClient(app)
const { api } = app.merchant
const NOTHING_OPEN = [400, 'INVALID_STATE', 'Authorization has no open amount']

async function later(ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(deps)
}
const released = async (named: string): Promise<Json> => {
  const answer = await till.release(named)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.void
}
const readVoid = async (id: string) => (await api(`/voids/${id}`)).json.void
const state = async (id: string) => {
  const { status, captured_amount, open_amount } = await till.read(id)
  return [status, captured_amount, open_amount]
}

describe('a void', () => {
  it('lets go of everything, and makes the authorisation VOIDED', async () => {
    const auth = await till.authorise(CARDS.approve, { alt_key: 'Let go' })
    const told = await eventsDuring(app, async () => {
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
    expect(told).toEqual([`payment.voided ${auth.v + 2}`])
    expect(await state(auth.id)).toEqual(['VOIDED', '0.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      reserved: 10_000,
      captured: 0,
      released: 10_000,
    })
    expect(errorSummary(await till.release(auth.id))).toEqual(NOTHING_OPEN)
    expect(errorSummary(await till.release('let go'))[0]).toBe(404)
  })

  it('after a partial capture lets go of the rest, and the capture stays', async () => {
    const auth = await till.authorise()
    const { capture } = (await till.capture(auth.id, { amount: '30.00' })).json
    expect((await released(auth.id)).amount).toBe('70.00')
    expect(await state(auth.id)).toEqual(['SUCCESS', '30.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
    })
    expect((await till.refund(capture.id)).json.refund.amount).toBe('30.00')
  })

  it.each([
    ['no body', {}],
    ['an empty object', { body: {} }],
    ['an empty void', { body: { void: {} } }],
    ['null', { body: { void: null } }],
  ])('can be asked for with %s', async (_what, call) => {
    const auth = await till.authorise()
    const answer = await api(`/payments/${auth.id}/void`, { method: 'POST', ...call })
    expect(answer.json.void.status).toBe('SUCCESS')
  })

  it('has no amount to choose', async () => {
    const auth = await till.authorise()
    const body = { void: { amount: '1.00' } }
    expect(errorSummary(await api(`/payments/${auth.id}/void`, { body }))).toEqual([
      400,
      'INVALID_REQUEST',
      'Unknown field void.amount',
    ])
  })
})

describe('a void that is refused', () => {
  it('for what is no authorisation', async () => {
    const payment = await till.pay(CARDS.approve, { alt_key: 'a payment' })
    const auth = await till.authorise()
    const { capture } = (await till.capture(auth.id)).json
    for (const named of [payment.id, 'a payment', capture.id, capture.transaction, 'vo_1_a']) {
      expect(errorSummary(await till.release(named))).toEqual([
        404,
        'NOT_FOUND',
        'Payment not found',
      ])
    }
  })

  it('for one of which nothing is open', async () => {
    const all = await till.authorise()
    await till.capture(all.id)
    const declined = await till.authorise(CARDS.decline)
    const old = await till.authorise()
    app.pass(7 * DAY_MS)
    for (const { id } of [all, declined, old]) {
      const before = await till.read(id)
      expect(errorSummary(await till.release(id))).toEqual(NOTHING_OPEN)
      expect(await till.read(id)).toEqual(before)
    }
  })

  it('by a processor that cannot', async () => {
    stubCapabilities(app, { void: false })
    const auth = await till.authorise()
    expect(errorSummary(await till.release(auth.id))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox cannot void an authorization',
    ])
  })
})

describe('a void that the processor refuses or leaves open', () => {
  it.each([
    [
      { status: 'DECLINED', reference: null, code: 'DECLINED', message: 'No' },
      { status: 'DECLINED', gateway_status: 'DECLINED', gateway_message: 'No' },
    ],
    [
      { status: 'ERROR', message: 'Down' },
      { status: 'DECLINED', gateway_status: 'DECLINED_ERROR', gateway_message: 'Down' },
    ],
  ])('%j opens the amount again', async (answer, expected) => {
    const auth = await till.authorise()
    stubProcessor(app, () => ({ void: async () => answer as never }))
    expect(await released(auth.id)).toMatchObject({ ...expected, v: 2 })
    expect(await state(auth.id)).toEqual(['SUCCESS', '0.00', '100.00'])
  })

  it.each([
    ['reached it', 'SUCCESS', ['VOIDED', '0.00', '0.00'], 10_000],
    ['did not reach it', 'DECLINED', ['SUCCESS', '0.00', '100.00'], 0],
  ])('is settled to the truth when the request %s', async (_what, status, after, gone) => {
    const auth = await till.authorise()
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
    expect(errorSummary(await till.capture(auth.id))).toEqual(NOTHING_OPEN)
    await later(5_000)
    expect(await readVoid(one.id)).toMatchObject({ status, v: 3 })
    expect(await state(auth.id)).toEqual(after)
    expect((await sandboxRecord(app, auth.gateway_reference)).voids).toBe(gone)
  })
})

describe('a void beside a capture that fails', () => {
  it('voids only what it let go, and the second one the rest', async () => {
    const auth = await till.authorise()
    const lost = () => Promise.reject(new Error('connection reset'))
    let unknown: string | undefined
    stubProcessor(app, (real) => ({
      capture: lost,
      void: async (order) => {
        const answer = await real.void(order)
        if (unknown !== undefined) return answer
        unknown = order.operation
        throw new Error('connection reset')
      },
      query: async (operation) => (operation === unknown ? lost() : real.query(operation)),
    }))
    // 60.00 is on its way, so 40.00 is what can be let go; that answer is lost.
    await till.capture(auth.id, { amount: '60.00' })
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
