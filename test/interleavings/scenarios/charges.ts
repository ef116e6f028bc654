import { createDueCharges } from '../../../server/charges/recurring-charges.ts'
import { collectDue } from '../../../server/payments/collect-due-charges.ts'
import type { Merchant, TestApp } from '../../app.ts'
import { CARDS } from '../../cards.ts'
import { newDeepLink } from '../../deep-links.ts'
import { cardToken, newLink, openPayerClient, openPayerClientAt } from '../../payer-client.ts'
import { DAY_MS, openPaymentsClient } from '../../payments-client.ts'
import {
  type Action,
  disable,
  post,
  press,
  put,
  RECONCILES,
  reconcile,
  remove,
  type Scenario,
} from './actions.ts'

/** Charges and contracts, and all that collects or pays them. */

const collect: Action = ({ deps }) => collectDue(deps)

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
    'it is collected': collect,
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
  const owed = await chargeOnStoredCard(app, merchant)
  const link = async () => {
    const { account, charge } = owed
    const { id } = await newLink(merchant, { account, charges: [charge] })
    return (await openPayerClient(app, id)).token
  }
  const [one, other] = [await link(), await link()]
  return {
    'a payer pays': press(app, one),
    'a payer’s card is declined': press(app, one, CARDS.decline),
    'a payer’s card is answered late': press(app, one, CARDS.pendingSuccess),
    'a payer of another link pays': press(app, other),
    ...otherwise(app, owed),
  }
}

/** A charge of 10.00 EUR that a deep link settles for two payers. */
export const owedCharge: Scenario = async (app, merchant) => {
  const owed = await chargeOnStoredCard(app, merchant)
  const { account, method } = owed
  const expires = new Date(app.now() + DAY_MS).toISOString()
  const deepLink = await newDeepLink(merchant, {}, { action: 'PAY_CHARGES', account, expires })
  const open = async () => (await openPayerClientAt(app, `/go/${deepLink.id}`)).token
  const [one, other] = [await open(), await open()]
  return {
    'a payer pays': press(app, one),
    'a payer’s card is declined': press(app, one, CARDS.decline),
    'another payer pays': press(app, other),
    'another charge is made': post('/payments', {
      payment: { amount: '5.00', currency: 'EUR', account, payment_method: method, due: expires },
    }),
    'the link is archived': remove(`/deep_links/${deepLink.id}`),
    ...otherwise(app, owed),
  }
}

type OwedCharge = Awaited<ReturnType<typeof chargeOnStoredCard>>

/** What else pays or changes a charge that a link pays. */
function otherwise(app: TestApp, { account, method, charge, change }: OwedCharge) {
  return {
    'it is collected': collect,
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
    'the collector comes by': collect,
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
