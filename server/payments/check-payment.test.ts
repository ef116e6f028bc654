import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { PAYMENT_NOT_FOUND, startPaymentsApp } from '../../test/payments-app.ts'
import { chargedDuring, errorSummary, eventsDuring } from '../../test/payments-client.ts'

/** Asking the processor at once about what is open. */

const { app, api, client, bend, removeProcessor, refunded } = await startPaymentsApp()
const check = (id: string, headers = {}) =>
  api(`/payments/${id}/check`, { method: 'POST', headers })

describe('a check of a payment', () => {
  it.each([
    [CARDS.noAnswerTaken, 'SUCCESS', [1000]],
    [CARDS.noAnswerNotTaken, 'DECLINE', []],
  ])(
    'settles one without a response by what the processor says (%s)',
    async (card, status, money) => {
      const charged = await chargedDuring(app, async () => {
        const payment = await client.pay(card)
        expect(payment.status).toBe('UNRESOLVED')
        const { json } = await check(payment.id)
        expect(json.payment.status).toBe(status)
        expect(json.payment).toEqual(await client.read(payment.id))
        expect((await check(payment.id)).json.payment).toEqual(json.payment)
      })
      expect(charged).toEqual(money)
    },
  )

  it('changes nothing while the processor does not answer, or is missing', async () => {
    const payment = await client.pay(CARDS.noAnswerTaken)
    const mends = [bend('query', 'REQUEST LOST'), bend('cancel', 'REQUEST LOST')]
    const events = await eventsDuring(app, async () => {
      expect((await check(payment.id)).json.payment).toEqual(payment)
    })
    expect(events).toEqual([])
    for (const mend of mends) mend()
    const restore = removeProcessor()
    expect((await check(payment.id)).json.payment).toEqual(payment)
    restore()
    expect((await check(payment.id)).json.payment.status).toBe('SUCCESS')
  })

  it('settles its refunds', async () => {
    const payment = await client.pay()
    bend('refund', 'ANSWER LOST')
    const refund = await refunded(payment.id, { amount: '4.00' })
    expect(refund.status).toBe('UNRESOLVED')
    expect((await check(payment.id)).json.payment.refunded_amount).toBe('4.00')
    expect((await api(`/refunds/${refund.id}`)).json.refund.status).toBe('SUCCESS')
  })

  it('does not ask about what is settled', async () => {
    const payment = await client.pay()
    let asked = 0
    bend('query', async (ask) => {
      asked += 1
      return ask()
    })
    expect((await check(payment.id)).json.payment).toEqual(payment)
    expect(asked).toBe(0)
  })

  it('returns the first result for the same Idempotency-Key', async () => {
    const payment = await client.pay(CARDS.noAnswerTaken)
    const headers = { 'idempotency-key': 'check once' }
    const first = await check(payment.id, headers)
    expect((await check(payment.id, headers)).text).toBe(first.text)
  })

  it('answers 404 for what does not exist, and names an unknown member', async () => {
    expect(errorSummary(await check('pay_1_0000000000000000'))).toEqual(PAYMENT_NOT_FOUND)
    const { id } = await client.pay()
    const wrong = await api(`/payments/${id}/check`, { body: { force: true } })
    expect([wrong.status, wrong.json.error.message]).toEqual([
      400,
      expect.stringContaining('force'),
    ])
  })
})
