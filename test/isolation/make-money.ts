import { expect } from 'vitest'
import { CARDS } from '../cards.ts'
import { disputePayment } from '../dispute.ts'
import { cardToken } from '../payer-client.ts'
import { keyed, keyedRequests } from './keyed-requests.ts'
import type { Maker } from './maker.ts'

/** A merchant's own payments, with everything that is done to them. */
export async function makeMoney(maker: Maker, account: string, method: string) {
  const { keys, text, post, app, merchant } = maker
  const take = async (payment: object) =>
    (await post('/payments', { payment: { amount: '50.00', currency: 'EUR', ...payment } })).payment
  const notes = { channel: text('channel'), metadata: { note: text('note') } }
  const token = async (card = CARDS.approve) => ({ token: await cardToken(app, card) })
  const sale = await take({
    account,
    payment_method: method,
    alt_key: keys.saleKey,
    description: text('sale'),
    reason: text('reason'),
    ...notes,
  })
  const authorised = { action: 'AUTH', account, payment_method: await token() }
  const authorisation = await take({ ...authorised, alt_key: keys.authorisationKey, ...notes })
  const released = await take({ ...authorised, payment_method: await token() })
  const spare = { payment_method: { ...(await token(CARDS.mastercard)), save: true }, account }
  const recurring = { frequency: 'MONTH', count: 3 }
  const owed = { account, payment_method: method, alt_key: keys.owedKey, description: text('owed') }
  const instalment = await take({ ...owed, recurring })
  const announced = await take({ ...owed, due: '2031-01-01T00:00:00Z' })
  const path = `/payments/${authorisation.id}/capture`
  const key = { alt_key: keys.captureKey, description: text('capture') }
  const { capture } = await post(path, { capture: { amount: '5.00', ...key } })
  const names = { ...keys, method }
  const requests = keyedRequests(names)
  await post('/payments', requests['/payments'], keyed(keys))
  await post(path, requests['/payments/:authorisation/capture'], keyed(keys))
  const refunded = await post(
    `/payments/${sale.id}/refund`,
    requests['/payments/:sale/refund'],
    keyed(keys),
  )
  await post(`/payments/${sale.id}/refund`, { refund: { amount: '2.00', reason: text('reason') } })
  const voided = await post(`/payments/${released.id}/void`, {}, keyed(keys))
  await removeCard(maker, account)
  const unresolved = await take({ account, payment_method: await token(CARDS.noAnswerNotTaken) })
  return {
    spareMethod: (await take(spare)).payment_method as string,
    sale: sale.id as string,
    transaction: sale.transaction as string,
    authorisation: authorisation.id as string,
    released: released.id as string,
    capture: capture.id as string,
    refund: refunded.refund.id as string,
    void: voided.void.id as string,
    reversal: await disputePayment(app, merchant, sale.id),
    instalment: instalment.id as string,
    charge: instalment.charge as string,
    contract: instalment.contract as string,
    announced: announced.id as string,
    owedCharge: announced.charge as string,
    unresolved: unresolved.id as string,
  }
}

/** Saves another card and removes it, so that its processor has a token to forget. */
async function removeCard({ app, post, merchant }: Maker, account: string): Promise<void> {
  const payment_method = { token: await cardToken(app, CARDS.amex), save: true }
  const payment = { amount: '1.00', currency: 'EUR', account, payment_method }
  const { payment_method: method } = (await post('/payments', { payment })).payment
  const { status } = await merchant.api(`/payment_methods/${method}`, { method: 'DELETE' })
  expect(status).toBe(204)
}
