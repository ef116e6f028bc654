import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { type Json, openPaymentsClient, eventsDuring } from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

/** The same card saved again is one stored method. */

const { app, deps, api, client, later } = await startPaymentsApp()
const { setMethod } = testCharges(app)

const read = async (id: string): Promise<Json> =>
  (await api(`/payment_methods/${id}`)).json.payment_method
const methodsOf = async (account: string): Promise<Json[]> =>
  (await api(`/payment_methods?criteria=account=${account}`)).json.payment_methods
const tokenOf = async (id: string) =>
  (
    await deps.db
      .selectFrom('payment_methods')
      .select('processor_token')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).processor_token
const newAccount = async (): Promise<string> =>
  (await api('/accounts', { body: { account: { crm_key: crypto.randomUUID() } } })).json.account.id
/** Saves a card by a merchant's request. Returns the method's id. */
async function save(account: string, number = CARDS.approve, expiry?: Expiry): Promise<string> {
  const token = await cardToken(app, number, expiry)
  const payment = await client.pay(undefined, { account, payment_method: { token, save: true } })
  expect(payment.status).toBe('SUCCESS')
  return payment.payment_method
}
/** The same on the payer's page. */
async function saveOnPage(account: string, number = CARDS.approve, expiry?: Expiry) {
  const link = await newLink(app.merchant, { amount: '1.00', account, save_card: true })
  const payer = await openPayerClient(app, link.id)
  const payment_method = { type: 'CARD', token: await cardToken(app, number, expiry) }
  expect((await payer.submit({ payment_method })).json.outcome).toBe('COMPLETED')
  return (await readLink(app.merchant, link.id)).payment_method as string
}
type Expiry = { exp_month: number; exp_year: number }
const RENEWED = { exp_month: 3, exp_year: 2039 }

describe('a card that is saved again on the same account', () => {
  it.each([
    ['by request, and then by request', save, save],
    ['by request, and then on the page', save, saveOnPage],
    ['on the page, and then by request', saveOnPage, save],
    ['on the page, and then on the page', saveOnPage, saveOnPage],
  ])('updates the existing method: %s', async (_, first, second) => {
    const account = await newAccount()
    const id = await first(account)
    const [before, token] = [await read(id), await tokenOf(id)]
    app.pass(1000)
    const events = await eventsDuring(app, async () => {
      expect(await second(account, CARDS.approve, RENEWED)).toBe(id)
    })
    expect(events).toContain('payment_method.updated 2')
    expect(events.join()).not.toContain('payment_method.created')
    expect(await methodsOf(account)).toEqual([
      {
        ...before,
        card: { ...before.card, ...RENEWED },
        updated: new Date(app.now()).toISOString(),
        v: 2,
      },
    ])
    expect(await tokenOf(id)).not.toBe(token)
    // What was updated is what is charged from then on.
    expect((await client.pay(undefined, { payment_method: id })).status).toBe('SUCCESS')
  })

  it('is one method after concurrent payments', async () => {
    const account = await newAccount()
    const ways = [save, saveOnPage, save, saveOnPage]
    const ids = await Promise.all(ways.map((way) => way(account)))
    expect(new Set(ids).size).toBe(1)
    expect(await methodsOf(account)).toMatchObject([{ id: ids[0], status: 'ACTIVE', v: 4 }])
  })

  it('is usable again after it had expired', async () => {
    const account = await newAccount()
    const id = await save(account)
    await setMethod(id, { exp_month: 4, exp_year: 2030 })
    expect((await read(id)).status).toBe('EXPIRED')
    expect(await save(account, CARDS.approve, RENEWED)).toBe(id)
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', default: true })
  })

  it('is a new method if the old one was removed', async () => {
    const account = await newAccount()
    const removed = await save(account)
    await api(`/payment_methods/${removed}`, { method: 'DELETE' })
    const fresh = await save(account)
    expect(fresh).not.toBe(removed)
    expect((await read(removed)).status).toBe('REMOVED')
    expect(await save(account)).toBe(fresh)
  })

  it('updates nothing when its payment is declined', async () => {
    const account = await newAccount()
    const id = await save(account)
    const token = await cardToken(app, CARDS.decline)
    await client.pay(undefined, { account, payment_method: { token, save: true } })
    expect(await methodsOf(account)).toMatchObject([{ id, v: 1 }])
  })
})

describe('another method', () => {
  it('is created for another card, or for the same card of another account', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()]
    const ids = [await save(mine), await save(mine, CARDS.mastercard), await save(theirs)]
    expect(new Set(ids).size).toBe(3)
    const other = openPaymentsClient(app, await app.newMerchant())
    expect(ids).not.toContain((await other.storeCard()).method)
  })
})

it('a bank account that was limited to one payment becomes reusable with the payer’s consent', async () => {
  const account = await newAccount()
  const pay = async (options: object): Promise<[checkout: string, method: string]> => {
    const { json } = await app.call('/sandbox/tokens', {
      body: { bank_account: { iban: 'GB35SAND00000000000077', holder: 'Ada Lovelace' } },
    })
    const link = await newLink(app.merchant, { amount: '1.00', account, ...options })
    const payer = await openPayerClient(app, link.id)
    await payer.submit({ payment_method: { type: 'DIRECT_DEBIT', token: json.token } })
    await later(2000)
    return [payer.checkout.id, (await readLink(app.merchant, link.id)).payment_method]
  }
  const [first, id] = await pay({ hide_save_card_toggle: true })
  expect(await read(id)).toMatchObject({ reusable: false, consent: { checkout: first } })
  const [second, again] = await pay({ save_card: true })
  expect(again).toBe(id)
  expect(await read(id)).toMatchObject({ reusable: true, consent: { checkout: second } })
  const [, last] = await pay({ hide_save_card_toggle: true })
  expect(last).toBe(id)
  expect(await read(id)).toMatchObject({ reusable: true, consent: { checkout: second } })
})
