import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { NOTHING_OPEN, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubCapabilities,
  stubProcessor,
  sandboxRecord,
  errorSummary,
  eventsDuring,
} from '../../test/payments-client.ts'

/** Letting go of what an authorization reserves. */

const { app, api, client, later, released, captured } = await startPaymentsApp()

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
    const capture = await captured(auth.id, { amount: '30.00' })
    expect((await released(auth.id)).amount).toBe('70.00')
    expect(await state(auth.id)).toEqual(['SUCCESS', '30.00', '0.00'])
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
    })
    expect((await client.refund(capture.id)).json.refund.amount).toBe('30.00')
  })

  it('accepts no amount', async () => {
    const auth = await client.authorise()
    const body = { void: { amount: '1.00' } }
    expect(errorSummary(await api(`/payments/${auth.id}/void`, { body }))).toEqual(
      refusal('INVALID_REQUEST', 'Unknown field void.amount'),
    )
  })

  it('is refused by a processor that cannot void', async () => {
    stubCapabilities(app, { void: false })
    const auth = await client.authorise()
    expect(errorSummary(await client.release(auth.id))).toEqual(
      refusal('NOT_SUPPORTED', 'sandbox cannot void an authorization'),
    )
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
