import { describe, expect, it } from 'vitest'
import { type Json, recordedEvents } from '../payments-client.ts'
import { startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** What the server collects from saved methods at Stripe while the payer is away. */

const { app, fake, later, returnFromBank, shop } = await startStripeApp()
const { api, client, newAccount, saveCard, openLink, merchant } = shop

const DAY_MS = 86_400_000
const CONFIRM = 'POST /v1/payment_intents/{intent}/confirm'
const inDays = (days: number) => new Date(app.now() + days * DAY_MS).toISOString()

const readCharge = async (id: string): Promise<Json> => (await api(`/charges/${id}`)).json.charge
const paymentsOf = async (charge: string): Promise<Json[]> =>
  (await api(`/payments?criteria=charge=${charge}&order=created`)).json.payments
const confirmations = () =>
  fake.requests.filter(({ method, path }) => `${method.toUpperCase()} ${path}` === CONFIRM).length

/** Saves a card on a link, confirmed at the bank where it asks. Returns the account and the method. */
async function saveOnLink(card: string) {
  const account = await newAccount()
  const payer = await openLink({ amount: '1.00', account, save_card: true })
  const { json } = await payer.submit({ payment_method: { token: fake.card(card) } })
  if (json.outcome === 'ACTION') await returnFromBank(json.action.url)
  const { payment_methods } = (await api(`/payment_methods?criteria=account=${account}`)).json
  return { account, payment_method: payment_methods[0].id as string }
}

/** The card that was saved last does from now on what `card` does. */
function turnSavedCard(card: string): void {
  const customer = [...fake.account.customers.keys()].at(-1)
  for (const method of fake.account.methods.values()) {
    if (method.customer === customer) method.number = card
  }
}

/** Saves a card that is approved once and then does what `card` does. */
async function saveThenTurn(card: string) {
  const account = await newAccount()
  const { payment_method } = await saveCard(account)
  turnSavedCard(card)
  return { account, payment_method: payment_method as string }
}

/** A charge that is due tomorrow, collected then. */
async function collectTomorrow(owed: { account: string; payment_method: string }) {
  const { charge } = await client.pay(undefined, { ...owed, due: inDays(1) })
  await later(DAY_MS)
  return charge as string
}

describe('a collection that the bank wants the payer to confirm', () => {
  it('is declined, told to the merchant and not repeated', async () => {
    const charge = await collectTomorrow(await saveOnLink(STRIPE_CARDS.alwaysAsks))
    expect(await readCharge(charge)).toMatchObject({
      status: 'ACTIVE',
      attempts: 1,
      next_attempt: null,
      retry_advice: 'WITH_PAYER',
    })
    const [payment] = await paymentsOf(charge)
    expect(payment).toMatchObject({ status: 'DECLINE', retry_advice: 'WITH_PAYER' })
    const told = (await recordedEvents(app, merchant)).filter(
      ({ type, data }) => type === 'charge.payer_needed' && data.charge.id === charge,
    )
    expect(told.map(({ data }) => data.charge)).toEqual([await readCharge(charge)])
    const before = confirmations()
    for (let day = 0; day < 20; day += 1) await later(DAY_MS)
    expect(confirmations()).toBe(before)
  })

  it('is repeated when the merchant sets another due time', async () => {
    const charge = await collectTomorrow(await saveOnLink(STRIPE_CARDS.alwaysAsks))
    const put = await api(`/charges/${charge}`, {
      method: 'PUT',
      body: { charge: { due: inDays(2) } },
    })
    expect(put.json.charge).toMatchObject({ retry_advice: null, next_attempt: inDays(2) })
    const before = confirmations()
    await later(2 * DAY_MS)
    expect(confirmations()).toBe(before + 1)
    expect(await readCharge(charge)).toMatchObject({ attempts: 2, retry_advice: 'WITH_PAYER' })
  })

  it('is paid by the payer who is asked', async () => {
    const owed = await saveOnLink(STRIPE_CARDS.alwaysAsks)
    const charge = await collectTomorrow(owed)
    const token = fake.card(STRIPE_CARDS.mastercard)
    const paid = await client.pay(undefined, {
      account: owed.account,
      payment_method: { token },
      parts: [{ charge, amount: '10.00' }],
    })
    expect(paid.status).toBe('SUCCESS')
    expect(await readCharge(charge)).toMatchObject({ status: 'PAID', retry_advice: null })
  })
})

describe('a collection from a card that may never be charged again', () => {
  it('is declined once, without telling the payer why', async () => {
    const charge = await collectTomorrow(await saveThenTurn(STRIPE_CARDS.lost))
    expect(await readCharge(charge)).toMatchObject({ next_attempt: null, retry_advice: 'NEVER' })
    expect(await paymentsOf(charge)).toMatchObject([{ status: 'DECLINE', retry_advice: 'NEVER' }])
    const before = confirmations()
    for (let day = 0; day < 20; day += 1) await later(DAY_MS)
    expect(confirmations()).toBe(before)
  })

  it('of a contract goes on with the method that replaces it', async () => {
    const owed = await saveOnLink(STRIPE_CARDS.approve)
    const recurring = { frequency: 'WEEK' }
    const first = await client.pay(undefined, { ...owed, recurring })
    turnSavedCard(STRIPE_CARDS.lost)
    await later(7 * DAY_MS)
    const { charges } = (await api(`/charges?criteria=contract=${first.contract}`)).json
    const stopped = charges.find(({ status }: Json) => status === 'ACTIVE')
    expect(stopped).toMatchObject({ next_attempt: null, retry_advice: 'NEVER' })
    const { payment_method } = await saveCard(owed.account, STRIPE_CARDS.mastercard)
    const changed = await api(`/contracts/${first.contract}`, {
      method: 'PUT',
      body: { contract: { payment_method } },
    })
    expect(changed.status, changed.text).toBe(200)
    expect(await readCharge(stopped.id)).toMatchObject({
      retry_advice: null,
      next_attempt: inDays(1),
    })
    await later(DAY_MS)
    expect(await readCharge(stopped.id)).toMatchObject({ status: 'PAID' })
  })
})

describe('a collection that may be approved later', () => {
  it('is repeated on the usual days', async () => {
    const owed = await saveThenTurn(STRIPE_CARDS.insufficient)
    const charge = await collectTomorrow(owed)
    expect(await readCharge(charge)).toMatchObject({ next_attempt: inDays(1), retry_advice: null })
    expect(await paymentsOf(charge)).toMatchObject([{ status: 'DECLINE', retry_advice: 'LATER' }])
    turnSavedCard(STRIPE_CARDS.approve)
    await later(DAY_MS)
    expect(await readCharge(charge)).toMatchObject({ status: 'PAID', attempts: 2 })
  })
})

describe('a contract', () => {
  it('is collected every week from the card that its first payment saved', async () => {
    const account = await newAccount()
    const first = await client.pay(undefined, {
      account,
      payment_method: { token: fake.card(STRIPE_CARDS.approve), save: true },
      recurring: { frequency: 'WEEK', count: 3 },
    })
    expect(first.status).toBe('SUCCESS')
    for (let week = 0; week < 3; week += 1) await later(7 * DAY_MS)
    const { charges } = (await api(`/charges?criteria=contract=${first.contract}`)).json
    expect(charges.map(({ status }: Json) => status)).toEqual(['PAID', 'PAID', 'PAID'])
  })
})
