import { reconcileDue } from '../../../server/payments/reconcile.ts'
import { CARDS } from '../../cards.ts'
import { cardToken } from '../../payer-client.ts'
import { openPaymentsClient } from '../../payments-client.ts'
import { notice, post, RECONCILES, reconcile, type Scenario } from './actions.ts'

/** Payments and authorizations of a merchant's server. */

/** An authorization of 100.00 EUR. */
export const authorisation: Scenario = async (app, merchant) => {
  const { id } = await openPaymentsClient(app, merchant).authorise()
  return {
    'a part is captured': post(`/payments/${id}/capture`, { capture: { amount: '60.00' } }),
    'another part is captured': post(`/payments/${id}/capture`, { capture: { amount: '40.00' } }),
    'the last part is captured': post(`/payments/${id}/capture`, {
      capture: { amount: '30.00', final: true },
    }),
    'it is let go': post(`/payments/${id}/void`),
    [RECONCILES]: reconcile(app),
    'a notification of the processor': notice(merchant),
  }
}

/** A payment of 10.00 EUR. */
export const payment: Scenario = async (app, merchant) => {
  const { id } = await openPaymentsClient(app, merchant).pay()
  const refund = (members: object) => post(`/payments/${id}/refund`, { refund: members })
  return {
    'a part is given back': refund({ amount: '6.00' }),
    'all is given back': refund({}),
    'a part is given back elsewhere': refund({ amount: '5.00', offline: true }),
    [RECONCILES]: reconcile(app),
    'a notification of the processor': notice(merchant),
  }
}

/** Nothing yet. */
export const newOperation: Scenario = async (app) => {
  const order = { amount: '10.00', currency: 'EUR' }
  const payment_method = { token: await cardToken(app, CARDS.approve) }
  const take = (action: string) =>
    post('/payments', { payment: { ...order, action, payment_method } })
  return {
    'a payment is taken': take('PAYMENT'),
    'an amount is authorised': take('AUTH'),
    [RECONCILES]: reconcile(app),
  }
}

/** A payment that was taken, whose response was lost, and whose card is to be stored. */
export const unansweredPayment: Scenario = async (app, merchant) => {
  const { id } = await openPaymentsClient(app, merchant).pay(undefined, {
    account: { crm_key: 'payer' },
    payment_method: { token: await cardToken(app, CARDS.noAnswerTaken), save: true },
  })
  // More than a call may take, so that the reconciler does not wait for its end.
  app.pass(60_000)
  return {
    'it is queried': ({ deps }) => reconcileDue(deps),
    'it is given back': post(`/payments/${id}/refund`, { refund: {} }),
  }
}
