import { randomUUID } from 'node:crypto'
import { createDueCharges } from '../../../server/charges/recurring-charges.ts'
import { syncDueSetups } from '../../../server/method-setups/sync.ts'
import { collectDue } from '../../../server/payments/collect-due-charges.ts'
import type { Merchant, TestApp } from '../../app.ts'
import { CARDS } from '../../cards.ts'
import { cardToken } from '../../payer-client.ts'
import { DAY_MS, openPaymentsClient } from '../../payments-client.ts'
import { type Action, post, put, remove, type Scenario } from './actions.ts'

/** Tasks that customers do by a deep link, and what their merchant does meanwhile. */

/** A press of the button ends the set-up before it, which no sequential order would do. */
export const SAVES = 'the customer saves a card'
export const SAVES_SAME = 'the customer saves the same card'
export const SAVES_ANOTHER = 'the customer saves another card'
const PRESSES = {
  [SAVES]: CARDS.mastercard,
  [SAVES_SAME]: CARDS.approve,
  [SAVES_ANOTHER]: CARDS.amex,
  'the customer’s card is declined': CARDS.decline,
  'the customer is sent to their bank': CARDS.challenge,
  'the answer to the customer is lost': CARDS.noAnswerTaken,
}

/** Queries the set-ups without an outcome, once their calls have ended. */
export const QUERIES_SETUPS = 'the set-ups are queried'

/** Whether two of some operations are presses of the button. */
export const isSuperseded = (names: readonly string[]) =>
  names.filter((name) => name in PRESSES).length > 1

/** A customer with a stored card, and the session of the task of a link. */
async function openTask(app: TestApp, { api }: Merchant, deepLink: object) {
  const expires = new Date(app.now() + DAY_MS).toISOString()
  const created = await api('/deep_links', { body: { deep_link: { expires, ...deepLink } } })
  const { id } = created.json.deep_link
  const opened = await app.call(`/go/${id}/sessions`, { body: {} })
  const headers = { authorization: `Bearer ${opened.json.token}` }
  const save =
    (card: string): Action =>
    async ({ call }) => {
      const token = await cardToken(app, card)
      const body = {
        attempt_key: randomUUID(),
        payment_method: { type: 'CARD', processor: 'sandbox', token },
      }
      return call('/go/sessions/current/payment_method', { headers, body })
    }
  return {
    id: id as string,
    change:
      (change: string): Action =>
      ({ call }) =>
        call('/go/sessions/current/contract', { headers, body: { change } }),
    actions: {
      ...Object.fromEntries(Object.entries(PRESSES).map(([name, card]) => [name, save(card)])),
      [QUERIES_SETUPS]: (async ({ deps }) => {
        app.pass(60_000)
        return syncDueSetups(deps)
      }) satisfies Action,
      'the link is archived': remove(`/deep_links/${id}`),
    },
  }
}

/** A link by which the customer of a stored card saves a method, once. */
export const newMethod: Scenario = async (app, merchant) => {
  const { account, method } = await openPaymentsClient(app, merchant).storeCard()
  const deepLink = { action: 'ADD_PAYMENT_METHOD', account, max_uses: 1 }
  const { actions } = await openTask(app, merchant, deepLink)
  return {
    ...actions,
    'the stored card is removed': remove(`/payment_methods/${method}`),
    'the stored card pays': post('/payments', {
      payment: { amount: '10.00', currency: 'EUR', account, payment_method: method },
    }),
    'the account is anonymised': post(`/accounts/${account}/anonymise`),
  }
}

/** A link by which a customer manages a contract whose second and last charge is due now. */
export const managedContract: Scenario = async (app, merchant) => {
  const paymentsClient = openPaymentsClient(app, merchant)
  const { account, method } = await paymentsClient.storeCard()
  const recurring = { frequency: 'DAY', count: 2 }
  const first = await paymentsClient.pay(undefined, { account, payment_method: method, recurring })
  app.pass(DAY_MS)
  const allow = ['CANCEL', 'PAUSE', 'PAYMENT_METHOD']
  const deepLink = { action: 'MANAGE_CONTRACT', account, contract: first.contract, allow }
  const { actions, change } = await openTask(app, merchant, deepLink)
  return {
    ...actions,
    'the customer cancels it': change('CANCEL'),
    'the customer pauses it': change('PAUSE'),
    'it is cancelled': remove(`/contracts/${first.contract}`),
    'its former card is removed': remove(`/payment_methods/${method}`),
    'it keeps its former card': put(`/contracts/${first.contract}`, {
      contract: { payment_method: method },
    }),
    'its charge is made and collected': async ({ deps }) => {
      await createDueCharges(deps)
      await collectDue(deps)
    },
  }
}
