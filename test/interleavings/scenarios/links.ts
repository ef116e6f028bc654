import { closeExpiredSessions } from '../../../server/checkouts/close-sessions.ts'
import { reconcileDue } from '../../../server/payments/reconcile.ts'
import { CARDS } from '../../cards.ts'
import { completeChallenge, newLink, openPayerClient } from '../../payer-client.ts'
import {
  disable,
  notice,
  press,
  put,
  RECONCILES,
  reconcile,
  remove,
  type Scenario,
} from './actions.ts'

/** Payment links and their payers. */

const HOUR_MS = 3_600_000

/** An unpaid link with two payers. */
export const openLink: Scenario = async (app, merchant) => {
  const { id } = await newLink(merchant, { amount: '12.50', currency: 'EUR' })
  const [one, other] = [await openPayerClient(app, id), await openPayerClient(app, id)]
  return {
    'a payer pays': press(app, one.token),
    'a payer’s card is declined': press(app, one.token, CARDS.decline),
    'a payer is sent to their bank': press(app, one.token, CARDS.challenge),
    'a payer’s card is answered late': press(app, one.token, CARDS.pendingSuccess),
    'another payer pays': press(app, other.token),
    'it is archived': remove(`/payment_links/${id}`),
    'its amount changes': put(`/payment_links/${id}`, {
      payment_link: { options: { amount: '9.00' } },
    }),
    'its sessions run out': async ({ deps }) => {
      app.pass(HOUR_MS)
      return closeExpiredSessions(deps)
    },
    'its instance is disabled': disable(merchant),
    [RECONCILES]: reconcile(app),
    'a notification of the processor': notice(merchant),
  }
}

/** A link whose payer is in a bank challenge. */
export const challengedLink: Scenario = async (app, merchant) => {
  const { id } = await newLink(merchant, { amount: '12.50', currency: 'EUR' })
  const [one, other] = [await openPayerClient(app, id), await openPayerClient(app, id)]
  const { json } = await one.payByCard(CARDS.challenge)
  const back = new URL(await completeChallenge(app, json.action.url, 'approve')).pathname
  return {
    'the payer comes back': ({ call }) => call(back),
    'they pay with another card': press(app, one.token),
    'another payer pays': press(app, other.token),
    'it is archived': remove(`/payment_links/${id}`),
    'its instance is disabled': disable(merchant),
    'they are given up': async ({ deps }) => {
      app.pass(20 * 60_000)
      return reconcileDue(deps)
    },
    'a notification of the processor': notice(merchant),
  }
}

/**
 * A link whose payer has left a payment that their bank then approved, as it cannot be ended. The
 * scenario needs a stage whose processor is `unendable`.
 */
export const leftLink: Scenario = async (app, merchant) => {
  const { id } = await newLink(merchant, { amount: '12.50', currency: 'EUR' })
  const [one, other] = [await openPayerClient(app, id), await openPayerClient(app, id)]
  const { json } = await one.payByCard(CARDS.challenge)
  // Leaves the bank's page; the card is declined, so the link is free.
  await one.payByCard(CARDS.decline)
  const back = new URL(await completeChallenge(app, json.action.url, 'approve')).pathname
  return {
    'the payer comes back': ({ call }) => call(back),
    'they pay with another card': press(app, one.token),
    'another payer pays': press(app, other.token),
    'another payer’s card is declined': press(app, other.token, CARDS.decline),
    'it is archived': remove(`/payment_links/${id}`),
    'its amount changes': put(`/payment_links/${id}`, {
      payment_link: { options: { amount: '9.00' } },
    }),
    'its sessions run out': async ({ deps }) => {
      app.pass(HOUR_MS)
      return closeExpiredSessions(deps)
    },
    'a notification of the processor': notice(merchant),
  }
}
