import { expect } from 'vitest'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { startTestApp } from '../app.ts'
import { atEnd } from '../at-end.ts'
import { openPayerClient, newLink } from '../payer-client.ts'
import { type Json, openPaymentsClient } from '../payments-client.ts'
import { connectStripe } from './connect.ts'
import { WEBHOOK_SECRET } from './deliver.ts'
import { stripeEnvironment } from './environment.ts'
import { type StripeFake, startStripeFake } from './start.ts'

/** Cards of Stripe's test mode. */
export const STRIPE_CARDS = {
  approve: '4242424242424242',
  mastercard: '5555555555554444',
  decline: '4000000000000002',
  insufficient: '4000000000009995',
  lost: '4000000000009987',
  /** Confirmed at the bank unless the payer set the card up before. */
  setUpOnce: '4000002500003155',
  /** Confirmed at the bank every time. */
  alwaysAsks: '4000002760003184',
}

/**
 * Starts an app for the tests of a file whose Stripe is a fake, with a merchant who has connected it.
 * After the tests it expects that every request was valid by Stripe's description.
 */
export async function startStripeApp(settings: object = {}) {
  let now = () => Date.now()
  const fake = await startStripeFake({ now: () => now() })
  const app = await startTestApp(stripeEnvironment(fake))
  now = app.now
  atEnd(async () => {
    await fake.close()
    expect(fake.problems).toEqual([])
  })
  const { deps } = app.checkstand

  /** A merchant of the app who has connected the fake with these settings. */
  async function newStripeShop(more: object = settings) {
    const merchant = await app.newMerchant()
    const { id } = await connectStripe(app, merchant, fake, more, WEBHOOK_SECRET)
    const client = openPaymentsClient(app, merchant)

    async function newAccount(details: object = {}): Promise<string> {
      const account = { crm_key: `payer ${Math.random()}`, email: 'ada@example.com', ...details }
      return (await merchant.api('/accounts', { body: { account } })).json.account.id
    }

    /** Saves a card for an account by a payment of 1.00 EUR. Returns the payment. */
    const saveCard = (account: string, card = STRIPE_CARDS.approve): Promise<Json> =>
      client.pay(undefined, {
        amount: '1.00',
        account,
        payment_method: { token: fake.card(card), save: true },
      })

    /** Creates a link with these options and opens it, at an address that a mandate can name. */
    async function openLink(options: Record<string, unknown> = { amount: '12.50' }) {
      const call: typeof app.call = (path, sent) => app.call(path, { from: '203.0.113.7', ...sent })
      return openPayerClient({ ...app, call }, (await newLink(merchant, options)).id)
    }

    return { merchant, api: merchant.api, connection: id, client, newAccount, saveCard, openLink }
  }

  /** Answers the bank's page and returns to the shop, as the payer's browser does. */
  async function returnFromBank(url: string, choice: 'approve' | 'decline' = 'approve') {
    fake.confirm(url, choice)
    const intent = fake.account.intents.get(url.slice(url.lastIndexOf('/') + 1))
    const { pathname, search } = new URL(intent?.return_url as string)
    return app.call(`${pathname}${search}`)
  }

  /** Lets time pass and the server do what it does by itself while it runs. */
  async function later(ms: number): Promise<void> {
    app.pass(ms)
    await createDueCharges(deps)
    await collectDue(deps)
    await reconcileDue(deps)
  }

  return { app, fake, deps, later, returnFromBank, newStripeShop, shop: await newStripeShop() }
}

/** Returns the bodies of the requests to a route while `act` ran, as forms. */
export async function sentDuring(
  fake: StripeFake,
  route: string,
  act: () => Promise<unknown>,
): Promise<Record<string, string>[]> {
  const from = fake.requests.length
  await act()
  return fake.requests
    .slice(from)
    .filter(({ method, path }) => `${method.toUpperCase()} ${path}` === route)
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
}
