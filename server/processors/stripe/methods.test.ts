import { afterAll, describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { newLink, openPayerClient, type PayerClient, readLink } from '../../../test/payer-client.ts'
import { type Json, reconcileAfter, recordedEvents } from '../../../test/payments-client.ts'
import { connectStripe } from '../../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../../test/stripe-fake/start.ts'

const fake = await startStripeFake()
const app = await startTestApp({
  ...stripeEnvironment(fake),
  CARD_TESTING_GUARD: '0',
})

/** A mandate names the address of the payer. */
const browser: Client = {
  call: (path, call) => app.call(path, { ...call, from: '203.0.113.7' }),
}

const METHODS = ['CARD', 'IDEAL', 'BANCONTACT', 'EPS', 'PRZELEWY', 'DIRECT_DEBIT']
const REDIRECTS = ['IDEAL', 'BANCONTACT', 'EPS', 'PRZELEWY']
const IBAN = 'AT611904300234573201'
const FAILING_IBAN = 'AT861904300235473202'
const DAY_MS = 86_400_000

const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

interface Shop {
  merchant: Merchant
  link: string
  payer: PayerClient
  processor: string
  pay: (type: string, token?: string) => Promise<Json>
}

/** A link of 12.50 EUR of a merchant with all methods of Stripe. */
async function openShop(currency = 'EUR', settings: object = { methods: METHODS }): Promise<Shop> {
  const merchant = await app.newMerchant()
  const { id: processor } = await connectStripe(app, merchant, fake, settings)
  const { id: link } = await newLink(merchant, { amount: '12.50', currency, account: ADA })
  const payer = await openPayerClient(browser, link)
  return {
    merchant,
    link,
    payer,
    processor,
    async pay(type, token) {
      const payment_method = { type, processor, ...(token !== undefined && { token }) }
      const { status, json, text } = await payer.submit({ payment_method, account: ADA })
      expect(status, text).toBe(200)
      // So that lists have the payments in order.
      app.pass(1)
      return json
    },
  }
}

const statusOf = async ({ merchant, link }: Shop): Promise<string> =>
  (await readLink(merchant, link)).status
const paymentsOf = async ({ merchant }: Shop): Promise<Json[]> =>
  (await merchant.api('/payments?order=created')).json.payments

/** Follows the return URL of Stripe's redirect, as the payer's browser does. */
async function comeBack(bank: string): Promise<void> {
  const id = bank.slice(bank.lastIndexOf('/') + 1)
  const { return_url } = fake.account.intents.get(id) ?? {}
  const response = await app.call(new URL(return_url as string).pathname)
  expect(response.status).toBe(303)
}

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

describe('the methods that a link offers', () => {
  it('are those that the connection takes, in the currency of the link', async () => {
    const typesIn = async (currency: string, settings?: object) => {
      const { payer } = await openShop(currency, settings)
      return payer.checkout.methods.map(({ type }: Json) => type)
    }
    expect(await typesIn('EUR')).toEqual(METHODS)
    expect(await typesIn('PLN')).toEqual(['CARD', 'PRZELEWY'])
    expect(await typesIn('USD')).toEqual(['CARD'])
    expect(await typesIn('EUR', { methods: ['CARD', 'IDEAL'] })).toEqual(['CARD', 'IDEAL'])
  })

  it('are refused in another currency', async () => {
    const { payer, processor } = await openShop('USD')
    const payment_method = { type: 'IDEAL', processor }
    const { status, json } = await payer.submit({ payment_method })
    expect([status, json.error.message]).toEqual([
      400,
      'payment_method.type is not offered by this checkout',
    ])
  })
})

describe('the page of a link', () => {
  it('names the schemes of banks, and says what follows', async () => {
    const { link } = await openShop('EUR', { methods: REDIRECTS })
    const { text } = await app.call(`/pay/${link}`, { headers: { 'accept-language': 'de' } })
    for (const name of ['iDEAL', 'Bancontact', 'EPS', 'Przelewy24']) expect(text).toContain(name)
    const { link: only } = await openShop('EUR', { methods: ['IDEAL'] })
    const page = await app.call(`/pay/${only}`, { headers: { 'accept-language': 'de' } })
    expect(page.text).toContain('geben Sie die Zahlung bei Ihrer Bank frei')
    // Nothing of Stripe is loaded where the page has no field of it.
    expect(page.text).not.toContain('stripe.js')
  })

  it('shows the scheme on the receipt', async () => {
    const shop = await openShop()
    const { action } = await shop.pay('IDEAL')
    fake.confirm(action.url, 'approve')
    await comeBack(action.url)
    expect((await shop.payer.current()).json.checkout.result.method.type).toBe('IDEAL')
  })
})

describe.each(REDIRECTS)('%s', (type) => {
  it('is approved at the bank, in the top window', async () => {
    const shop = await openShop()
    const { outcome, action } = await shop.pay(type)
    expect([outcome, action.in_frame]).toEqual(['ACTION', undefined])
    fake.confirm(action.url, 'approve')
    await comeBack(action.url)
    expect(await statusOf(shop)).toBe('PAYMENT_SUCCESS')
  })

  it('is declined at the bank, and a card pays', async () => {
    const shop = await openShop()
    const { action } = await shop.pay(type)
    fake.confirm(action.url, 'decline')
    await comeBack(action.url)
    const { result } = (await shop.payer.current()).json.checkout
    expect([result.outcome, result.message_id]).toEqual(['DECLINED', 'errors.cancelled'])
    expect((await shop.pay('CARD', fake.card('4242424242424242'))).outcome).toBe('COMPLETED')
  })

  it('is left for a card, and takes nothing afterwards', async () => {
    const shop = await openShop()
    const { action } = await shop.pay(type)
    expect((await shop.pay('CARD', fake.card('4242424242424242'))).outcome).toBe('COMPLETED')
    fake.confirm(action.url, 'approve')
    await reconcileAfter(app, 60_000)
    expect((await paymentsOf(shop)).map(({ status }) => status)).toEqual(['DECLINE', 'SUCCESS'])
  })

  it('is approved without the payer’s return', async () => {
    const shop = await openShop()
    const { action } = await shop.pay(type)
    fake.confirm(action.url, 'approve')
    await reconcileAfter(app, 60_000)
    expect(await statusOf(shop)).toBe('PAYMENT_SUCCESS')
  })
})

describe('SEPA direct debit', () => {
  it('succeeds days later', async () => {
    const shop = await openShop()
    expect((await shop.pay('DIRECT_DEBIT', fake.debit(IBAN))).outcome).toBe('PENDING')
    expect(await statusOf(shop)).toBe('PAYMENT_PENDING')
    await reconcileAfter(app, DAY_MS)
    expect(await statusOf(shop)).toBe('PAYMENT_PENDING')
    fake.settle()
    await reconcileAfter(app, DAY_MS)
    expect(await statusOf(shop)).toBe('PAYMENT_SUCCESS')
  })

  it('fails days later, and a card pays', async () => {
    const shop = await openShop()
    await shop.pay('DIRECT_DEBIT', fake.debit(FAILING_IBAN))
    fake.settle()
    await reconcileAfter(app, DAY_MS)
    expect(await statusOf(shop)).toBe('ACTIVE')
    const events = (await recordedEvents(app, shop.merchant)).map(({ type }) => type)
    expect(events).toContain('payment_link.payment_failed')
    const payment_method = {
      type: 'CARD',
      processor: shop.processor,
      token: fake.card('4242424242424242'),
    }
    // The first session has run out.
    const again = await openPayerClient(browser, shop.link)
    const { json } = await again.submit({ payment_method, account: ADA })
    expect(json.outcome).toBe('COMPLETED')
  })

  it('needs a token of the account', async () => {
    const { payer, processor } = await openShop()
    const { status, json } = await payer.submit({
      payment_method: { type: 'DIRECT_DEBIT', processor },
      account: ADA,
    })
    expect([status, json.error.message]).toEqual([400, 'payment_method.token is required'])
  })

  it('carries the mandate that the payer has accepted', async () => {
    const shop = await openShop()
    await shop.pay('DIRECT_DEBIT', fake.debit(IBAN))
    const confirm = fake.requests.findLast(({ path }) => path.endsWith('/confirm'))
    expect(decodeURIComponent(confirm?.body ?? '')).toMatch(
      /mandate_data\[customer_acceptance\]\[type\]=online/,
    )
  })
})

describe('a redirect that Stripe has begun to process', () => {
  it('is set aside for a card, and refunded once when it succeeds', async () => {
    const shop = await openShop()
    const { action } = await shop.pay('IDEAL')
    const intent = fake.account.intents.get(action.url.slice(action.url.lastIndexOf('/') + 1))
    if (!intent) throw new Error('the fake has no intent')
    intent.status = 'processing'
    expect((await shop.pay('CARD', fake.card('4242424242424242'))).outcome).toBe('COMPLETED')
    fake.settle()
    await reconcileAfter(app, DAY_MS)
    for (let n = 0; n < 3; n += 1) await reconcileAfter(app, 60_000)
    const [left, paid] = await paymentsOf(shop)
    expect([left.status, left.surplus, left.refunded_amount]).toEqual(['SUCCESS', true, '12.50'])
    expect([paid.status, paid.surplus, paid.refunded_amount]).toEqual(['SUCCESS', false, '0.00'])
    expect((await readLink(shop.merchant, shop.link)).payment).toBe(paid.id)
    expect(fake.taken().get(intent.id)).toBe(0)
    const refunds = fake.requests.filter(({ path, body }) => {
      return path === '/v1/refunds' && body.includes(intent.id)
    })
    expect(refunds.filter(({ method }) => method === 'post')).toHaveLength(1)
  })

  it('pays the link when it succeeds while the link is free', async () => {
    const shop = await openShop()
    const { action } = await shop.pay('IDEAL')
    const intent = fake.account.intents.get(action.url.slice(action.url.lastIndexOf('/') + 1))
    if (!intent) throw new Error('the fake has no intent')
    intent.status = 'processing'
    expect((await shop.pay('CARD', fake.card('4000000000009995'))).outcome).toBe('DECLINED')
    fake.settle()
    await reconcileAfter(app, DAY_MS)
    expect(await statusOf(shop)).toBe('PAYMENT_SUCCESS')
    expect(fake.taken().get(intent.id)).toBe(1250)
  })
})
