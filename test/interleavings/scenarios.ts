import { randomUUID } from 'node:crypto'
import { closeExpiredSessions } from '../../server/checkouts/close-sessions.ts'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { disableInstance } from '../../server/admin/disable-instance.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { settleAttempt } from '../../server/payments/settle.ts'
import type { Merchant, TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { DAY_MS, openPaymentsClient } from '../payments-client.ts'
import { completeChallenge, cardToken, newLink, openPayerClient } from '../payer-client.ts'
import type { Server } from '../second-server.ts'

/** Records that several operations can change, and those operations. */

export type Action = (server: Server) => Promise<unknown>

/** Creates the record for a merchant. Returns the operations on it by name. */
export type Scenario = (app: TestApp, merchant: Merchant) => Promise<Record<string, Action>>

const HOUR_MS = 3_600_000

const put =
  (path: string, body: object): Action =>
  ({ api }) =>
    api(path, { method: 'PUT', body })
const remove =
  (path: string): Action =>
  ({ api }) =>
    api(path, { method: 'DELETE' })
const post =
  (path: string, body: object = {}): Action =>
  ({ api }) =>
    api(path, { body })

const disable =
  ({ instance }: Merchant): Action =>
  ({ deps }) =>
    disableInstance(deps, instance.id)

/** Delivers the processor's current outcome of every open attempt. */
const notice =
  ({ instance }: Merchant): Action =>
  async ({ deps }) => {
    const open = await deps.db
      .selectFrom('attempts')
      .select(['id', 'processor', 'instance_id'])
      .where('instance_id', '=', instance.id)
      .where('state', '<>', 'DONE')
      .execute()
    for (const attempt of open) {
      const { id } = attempt
      const result = await (await deps.processors.get(attempt))?.query(id)
      if (result && result.status !== 'NOT_FOUND') await settleAttempt(deps, id, result)
    }
  }

/**
 * Advances the clock beyond the processor timeout, so that the reconciler does not wait for the call.
 * It cancels an attempt that has not arrived, which no sequential order would do.
 */
export const RECONCILES = 'the reconciler comes by'
const reconcile =
  (app: TestApp): Action =>
  async ({ deps }) => {
    app.pass(60_000)
    return reconcileDue(deps)
  }

/** Submits a card as a new attempt. */
const press =
  (app: TestApp, token: string, card = CARDS.approve): Action =>
  async ({ call }) => {
    const payment_method = { type: 'CARD', processor: 'sandbox', token: await cardToken(app, card) }
    const body = { attempt_key: randomUUID(), options_v: 1, payment_method }
    const headers = { authorization: `Bearer ${token}` }
    return call('/pay/checkouts/current/submit', { headers, body })
  }

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

async function chargeOnStoredCard(app: TestApp, merchant: Merchant) {
  const paymentsClient = openPaymentsClient(app, merchant)
  const { account, method } = await paymentsClient.storeCard()
  const due = new Date(app.now() + DAY_MS).toISOString()
  const { charge } = await paymentsClient.pay(undefined, { account, payment_method: method, due })
  app.pass(DAY_MS)
  const change = (members: object) => put(`/charges/${charge}`, { charge: members })
  return { account, method, charge: charge as string, change }
}

/** A due charge of 10.00 EUR with a stored card. */
export const dueCharge: Scenario = async (app, merchant) => {
  const { account, method, charge, change } = await chargeOnStoredCard(app, merchant)
  return {
    'it is collected': ({ deps }) => collectDue(deps),
    'it is written off': change({ status: 'WRITTENOFF' }),
    'its amount changes': change({ amount: '8.00' }),
    'a part is paid': post('/payments', {
      payment: {
        amount: '6.00',
        currency: 'EUR',
        account,
        payment_method: method,
        parts: [{ charge, amount: '6.00' }],
      },
    }),
    'its card is removed': remove(`/payment_methods/${method}`),
    'its instance is disabled': disable(merchant),
    [RECONCILES]: reconcile(app),
  }
}

/** A charge of 10.00 EUR that two links pay, each with a payer. */
export const linkedCharge: Scenario = async (app, merchant) => {
  const { account, method, charge, change } = await chargeOnStoredCard(app, merchant)
  const link = async () => {
    const { id } = await newLink(merchant, { account, charges: [charge] })
    return (await openPayerClient(app, id)).token
  }
  const [one, other] = [await link(), await link()]
  return {
    'a payer pays': press(app, one),
    'a payer’s card is answered late': press(app, one, CARDS.pendingSuccess),
    'a payer of another link pays': press(app, other),
    'it is collected': ({ deps }) => collectDue(deps),
    'it is written off': change({ status: 'WRITTENOFF' }),
    'its amount changes': change({ amount: '8.00' }),
    'it is paid by request': post('/payments', {
      payment: {
        amount: '10.00',
        currency: 'EUR',
        account,
        payment_method: method,
        parts: [{ charge, amount: '10.00' }],
      },
    }),
    [RECONCILES]: reconcile(app),
  }
}

/** A due charge of 10.00 EUR that was written off. */
export const writtenOff: Scenario = async (app, merchant) => {
  const { method, charge, change } = await chargeOnStoredCard(app, merchant)
  await merchant.api(`/charges/${charge}`, {
    method: 'PUT',
    body: { charge: { status: 'WRITTENOFF' } },
  })
  return {
    'the collector comes by': ({ deps }) => collectDue(deps),
    'it is taken up again': change({ status: 'ACTIVE' }),
    'it is taken up again for later': change({
      status: 'ACTIVE',
      due: new Date(app.now() + DAY_MS).toISOString(),
    }),
    'its card is removed': remove(`/payment_methods/${method}`),
  }
}

/** A contract whose second and last charge is due now. */
export const contract: Scenario = async (app, merchant) => {
  const paymentsClient = openPaymentsClient(app, merchant)
  const { account, method } = await paymentsClient.storeCard()
  const other = await paymentsClient.pay(undefined, {
    account,
    payment_method: { token: await cardToken(app, CARDS.mastercard), save: true },
  })
  const first = await paymentsClient.pay(undefined, {
    account,
    payment_method: method,
    recurring: { frequency: 'DAY', count: 2 },
  })
  app.pass(DAY_MS)
  return {
    'its charge is made': ({ deps }) => createDueCharges(deps),
    'its charge is made and collected': async ({ deps }) => {
      await createDueCharges(deps)
      await collectDue(deps)
    },
    'it is cancelled': remove(`/contracts/${first.contract}`),
    'it is paused': put(`/contracts/${first.contract}`, { contract: { status: 'PAUSED' } }),
    'its card is replaced': put(`/contracts/${first.contract}`, {
      contract: { payment_method: other.payment_method },
    }),
    'its card is removed': remove(`/payment_methods/${method}`),
    'its instance is disabled': disable(merchant),
    [RECONCILES]: reconcile(app),
  }
}
