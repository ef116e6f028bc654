import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { sandboxRecord, type Json, errorSummary } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/**
 * Many requests for the same money at once: the sums hold in
 * the records that we answer, in our tables, and on the books of the processor.
 */

const kit = await startPaymentsApp()
const { app, api, client } = kit
const { db } = kit.deps

const TWENTY = Array.from({ length: 20 }, (_, n) => n)
const atOnce = (act: (n: number) => Promise<ApiResponse>) => Promise.all(TWENTY.map(act))
const cents = (text: string) => Math.round(Number(text) * 100)
const total = (records: Json[]) => records.reduce((sum, { amount }) => sum + cents(amount), 0)

/** What succeeded; each other answer must say that the state was in the way, and nothing worse. */
function succeeded(answers: ApiResponse[], name: 'capture' | 'refund' | 'void'): Json[] {
  const lost = answers.filter(({ status }) => status !== 200)
  for (const response of lost)
    expect(errorSummary(response).slice(0, 2)).toEqual([400, 'INVALID_STATE'])
  const records = answers.filter(({ status }) => status === 200).map(({ json }) => json[name])
  for (const record of records) expect(record.status).toBe('SUCCESS')
  return records
}

const row = (id: string) =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('concurrent payments of a new customer', () => {
  it('create one account', async () => {
    const tokens = await Promise.all(TWENTY.map(() => cardToken(app, CARDS.approve)))
    const responses = await atOnce((n) =>
      client.send({
        amount: '1.00',
        currency: 'EUR',
        account: { crm_key: 'new here', first_name: `Ada ${n}` },
        payment_method: { token: tokens[n] },
      }),
    )
    expect(new Set(responses.map(({ json }) => json.payment.account)).size).toBe(1)
    expect((await api('/accounts?criteria=crm_key%3Dnew here')).json.meta.total).toBe(1)
  })
})

describe('concurrent captures of one authorization', () => {
  it.each([
    ['of the whole', undefined, 1],
    ['of a third', '30.00', 3],
    ['of 7.00', '7.00', 14],
    ['of a twentieth', '5.00', 20],
  ])('%s never exceed the authorized amount', async (_what, amount, count) => {
    const auth = await client.authorise()
    const captures = succeeded(await atOnce(() => client.capture(auth.id, { amount })), 'capture')
    expect(captures).toHaveLength(count)
    const taken = total(captures)
    expect(await client.read(auth.id)).toMatchObject({
      captured_amount: (taken / 100).toFixed(2),
      open_amount: ((10_000 - taken) / 100).toFixed(2),
      v: auth.v + count,
    })
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: taken,
      captures: taken,
      released: 0,
    })
    const list = (await api(`/captures?criteria=authorisation=${auth.id}`)).json
    expect(list.meta.total).toBe(count)
  })

  it('of many sizes capture what fits', async () => {
    const auth = await client.authorise()
    const captures = succeeded(
      await atOnce((n) => client.capture(auth.id, { amount: `${n + 1}.00` })),
      'capture',
    )
    const taken = total(captures)
    expect(taken).toBeLessThanOrEqual(10_000)
    expect((await row(auth.id)).captured_amount).toBe(taken)
    expect((await sandboxRecord(app, auth.gateway_reference)).captured).toBe(taken)
  })
})

describe('concurrent refunds of one payment', () => {
  it.each([
    ['of the whole', undefined, 1],
    ['of a third', '3.00', 3],
    ['of a twentieth', '0.50', 20],
  ])('%s never exceed the paid amount', async (_what, amount, count) => {
    const payment = await client.pay()
    const refunds = succeeded(await atOnce(() => client.refund(payment.id, { amount })), 'refund')
    expect(refunds).toHaveLength(count)
    const params = total(refunds)
    expect(await client.read(payment.id)).toMatchObject({
      refunded_amount: (params / 100).toFixed(2),
      refundable_amount: ((1_000 - params) / 100).toFixed(2),
    })
    expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({
      refunded: params,
      refunds: params,
    })
    expect(new Set(refunds.map(({ reference }) => reference)).size).toBe(count)
  })

  it('by the processor and offline share one limit', async () => {
    const payment = await client.pay()
    const refunds = succeeded(
      await atOnce((n) => client.refund(payment.id, { amount: '1.00', offline: n % 2 === 0 })),
      'refund',
    )
    expect(refunds).toHaveLength(10)
    expect((await row(payment.id)).refunded_amount).toBe(1_000)
    const requests = refunds.filter(({ offline }) => !offline).length
    expect((await sandboxRecord(app, payment.gateway_reference)).refunds).toBe(requests * 100)
  })

  it('of captures of one authorization count on their own capture', async () => {
    const auth = await client.authorise()
    const captures = await Promise.all(
      ['40.00', '60.00'].map((amount) => kit.captured(auth.id, { amount })),
    )
    succeeded(await atOnce((n) => client.refund(captures[n % 2].id, { amount: '9.00' })), 'refund')
    expect((await row(captures[0].id)).refunded_amount).toBe(3_600)
    expect((await row(captures[1].id)).refunded_amount).toBe(5_400)
  })
})

describe('concurrent voids and captures', () => {
  it('split the authorized amount exactly', async () => {
    const auth = await client.authorise()
    const responses = await atOnce((n) =>
      n % 4 === 3 ? client.release(auth.id) : client.capture(auth.id, { amount: '9.00' }),
    )
    const voids = succeeded(
      responses.filter((_, n) => n % 4 === 3),
      'void',
    )
    const captures = succeeded(
      responses.filter((_, n) => n % 4 !== 3),
      'capture',
    )
    const [taken, released] = [total(captures), total(voids)]
    expect(voids).toHaveLength(1)
    expect(taken + released).toBe(10_000)
    expect(await row(auth.id)).toMatchObject({
      captured_amount: taken,
      released_amount: released,
      status: taken === 0 ? 'VOIDED' : 'SUCCESS',
    })
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: taken,
      captures: taken,
      released,
      voids: released,
    })
  })

  it('void once for many requests', async () => {
    const auth = await client.authorise()
    expect(succeeded(await atOnce(() => client.release(auth.id)), 'void')).toHaveLength(1)
    expect(await client.read(auth.id)).toMatchObject({ status: 'VOIDED', v: auth.v + 2 })
  })

  it('make one final capture for many requests', async () => {
    const auth = await client.authorise()
    const captures = succeeded(
      await atOnce(() => client.capture(auth.id, { amount: '10.00', final: true })),
      'capture',
    )
    const { captured_amount, released_amount } = await row(auth.id)
    expect(captured_amount).toBe(total(captures))
    expect(captured_amount + released_amount).toBe(10_000)
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: captured_amount,
      released: released_amount,
    })
  })
})

describe('constraints of the tables', () => {
  it.each([
    ['captured_amount', 10_001],
    ['released_amount', 10_001],
    ['refunded_amount', 10_001],
    ['captured_amount', -1],
    ['refunded_amount', -1],
  ] as const)('refuse %s of %d of 100.00', async (column, value) => {
    const auth = await client.authorise()
    const write = db
      .updateTable('payments')
      .set({ [column]: value })
      .where('id', '=', auth.id)
    await expect(write.execute()).rejects.toThrow(/check/i)
  })
})
