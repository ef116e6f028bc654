import { describe, expect, it } from 'vitest'
import { sentDuring, startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** Methods that payers save at Stripe, and what is charged from them. */

const { app, fake, later, returnFromBank, shop } = await startStripeApp({ saved_csc: 'NONE' })
const { api, client, connection, newAccount, saveCard, openLink } = shop

const CREATE = 'POST /v1/payment_intents'
const CONFIRM = 'POST /v1/payment_intents/{intent}/confirm'
const CUSTOMER = 'POST /v1/customers'
const DAY_MS = 86_400_000

const newCard = (number = STRIPE_CARDS.approve) => ({
  type: 'CARD',
  processor: connection,
  token: fake.card(number),
})

const readMethod = async (id: string) => (await api(`/payment_methods/${id}`)).json.payment_method

const methodsOf = async (account: string) =>
  (await api(`/payment_methods?criteria=account=${account}`)).json.payment_methods

describe('a card that a payer saves on a link', () => {
  it('is shown to its account and charged again for the payer', async () => {
    const account = await newAccount()
    const first = await openLink({ amount: '12.50', account, save_card: true })
    expect((await first.submit({ payment_method: newCard() })).json.outcome).toBe('COMPLETED')
    const again = await openLink({ amount: '3.00', account })
    const [saved] = again.checkout.saved_methods
    expect(saved).toMatchObject({ type: 'CARD', brand: 'visa', last4: '4242' })
    const [intent] = await sentDuring(fake, CREATE, async () => {
      const paid = await again.submit({ payment_method: { id: saved.id } })
      expect(paid.json.outcome, paid.text).toBe('COMPLETED')
    })
    expect(intent).toMatchObject({ amount: '300', customer: expect.stringMatching(/^cus_/) })
    expect(intent).not.toHaveProperty('setup_future_usage')
  })

  it('is saved after the payer confirmed at the bank', async () => {
    const account = await newAccount()
    const payer = await openLink({ amount: '12.50', account, save_card: true })
    const asked = await payer.submit({ payment_method: newCard(STRIPE_CARDS.setUpOnce) })
    expect(asked.json.outcome, asked.text).toBe('ACTION')
    expect(await methodsOf(account)).toEqual([])
    await returnFromBank(asked.json.action.url)
    expect((await payer.current()).json.checkout.result.outcome).toBe('COMPLETED')
    expect(await methodsOf(account)).toHaveLength(1)
  })

  it('is not saved when the payer refuses at the bank', async () => {
    const account = await newAccount()
    const payer = await openLink({ amount: '12.50', account, save_card: true })
    const asked = await payer.submit({ payment_method: newCard(STRIPE_CARDS.setUpOnce) })
    await returnFromBank(asked.json.action.url, 'decline')
    expect((await payer.current()).json.checkout.result.outcome).toBe('DECLINED')
    expect(await methodsOf(account)).toEqual([])
  })

  it('is not saved unless the payer agrees', async () => {
    const account = await newAccount()
    const payer = await openLink({ amount: '12.50', account })
    const customers = await sentDuring(fake, CUSTOMER, async () => {
      await payer.submit({ payment_method: newCard() })
    })
    expect([customers, await methodsOf(account)]).toEqual([[], []])
  })
})

describe('a card that a merchant saves', () => {
  it('is charged without the payer, and shows no token', async () => {
    const account = await newAccount()
    const { payment_method: method } = await saveCard(account)
    const [confirmed] = await sentDuring(fake, CONFIRM, async () => {
      const payment = await client.pay(undefined, { account, payment_method: method })
      expect(payment).toMatchObject({ status: 'SUCCESS', payment_method: method })
    })
    expect(confirmed).toMatchObject({ off_session: 'true' })
    const record = await readMethod(method)
    expect(record).toMatchObject({ status: 'ACTIVE', card: { last4: '4242' } })
    expect(JSON.stringify(record)).not.toMatch(/cus_|pm_[0-9a-f]{24}/)
  })

  it('joins the methods of its account at one customer of Stripe', async () => {
    const account = await newAccount()
    const customers = await sentDuring(fake, CUSTOMER, async () => {
      await saveCard(account)
      await saveCard(account, STRIPE_CARDS.mastercard)
    })
    expect(customers).toEqual([expect.objectContaining({ 'metadata[account]': account })])
    expect(await methodsOf(account)).toHaveLength(2)
    const methods = [...fake.account.methods.values()].filter(({ customer }) => {
      const made = [...fake.account.customers.keys()].at(-1)
      return customer === made
    })
    expect(methods.map(({ number }) => number)).toEqual([
      STRIPE_CARDS.approve,
      STRIPE_CARDS.mastercard,
    ])
  })

  it('is saved with another customer where Stripe has deleted the first', async () => {
    const account = await newAccount()
    const { payment_method: gone } = await saveCard(account)
    app.pass(1)
    const [customer = ''] = [...fake.account.customers.keys()].slice(-1)
    fake.afterwards.deleteCustomer(customer)
    const before = fake.taken().size
    const customers = await sentDuring(fake, CUSTOMER, async () => {
      const payment = await saveCard(account, STRIPE_CARDS.mastercard)
      expect(payment.status).toBe('SUCCESS')
      expect(payment.payment_method).not.toBe(gone)
      const again = { account, payment_method: payment.payment_method }
      expect((await client.pay(undefined, again)).status).toBe('SUCCESS')
      expect((await saveCard(account)).status).toBe('SUCCESS')
    })
    expect(customers).toHaveLength(1)
    expect(fake.taken().size).toBe(before + 3)
  })

  it('is declined for good where Stripe has deleted its customer', async () => {
    const account = await newAccount()
    const { payment_method } = await saveCard(account)
    const [customer = ''] = [...fake.account.customers.keys()].slice(-1)
    fake.account.customers.delete(customer)
    const payment = await client.pay(undefined, { account, payment_method })
    expect(payment).toMatchObject({ status: 'DECLINE', retry_advice: 'NEVER' })
  })

  it('shares no customer of Stripe with another account', async () => {
    const customers = await sentDuring(fake, CUSTOMER, async () => {
      await saveCard(await newAccount())
      await saveCard(await newAccount())
    })
    expect(customers).toHaveLength(2)
  })

  it('is one method however often it is saved', async () => {
    const account = await newAccount()
    const { payment_method: method } = await saveCard(account)
    expect((await saveCard(account)).payment_method).toBe(method)
    expect(await methodsOf(account)).toHaveLength(1)
    const payment = await client.pay(undefined, { account, payment_method: method })
    expect(payment.status).toBe('SUCCESS')
  })

  it('is not saved when the bank wants the payer, who is away', async () => {
    const account = await newAccount()
    const payment = await saveCard(account, STRIPE_CARDS.setUpOnce)
    expect(payment).toMatchObject({
      status: 'DECLINE',
      retry_advice: 'WITH_PAYER',
      payment_method: null,
    })
    expect(await methodsOf(account)).toEqual([])
  })

  it('may be named by its connection, and by no other', async () => {
    const token = fake.card(STRIPE_CARDS.approve)
    const payment = await client.pay(undefined, {
      payment_method: { processor: connection, token },
    })
    expect(payment.status).toBe('SUCCESS')
    for (const processor of ['pr_1893499200000_0a1b2c3d4e5f6g7h', 'sandbox']) {
      const refused = await client.send({ amount: '10.00', payment_method: { processor, token } })
      expect([refused.status, refused.json.error.message]).toEqual([
        400,
        'payment.payment_method.type is not offered for EUR',
      ])
    }
  })
})

describe('a card that asks the payer once', () => {
  it('is collected without the payer after that', async () => {
    const account = await newAccount()
    const payer = await openLink({ amount: '12.50', account, save_card: true })
    const asked = await payer.submit({ payment_method: newCard(STRIPE_CARDS.setUpOnce) })
    await returnFromBank(asked.json.action.url)
    const [method] = await methodsOf(account)
    const due = new Date(app.now() + DAY_MS).toISOString()
    const { charge } = await client.pay(undefined, { account, payment_method: method.id, due })
    const [confirmed] = await sentDuring(fake, CONFIRM, () => later(DAY_MS))
    expect(confirmed).toMatchObject({ off_session: 'true' })
    expect((await api(`/charges/${charge}`)).json.charge).toMatchObject({
      status: 'PAID',
      attempts: 1,
    })
  })
})
