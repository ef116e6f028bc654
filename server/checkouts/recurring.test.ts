import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import {
  DAY_MS,
  errorSummary,
  type Json,
  openPaymentsClient,
  reconcileAfter,
} from '../../test/payments-client.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })

const MONTHLY = { frequency: 'MONTH', interval: 1 }

/** A payer at a link that begins a contract. */
async function subscription(options: Record<string, unknown> = {}) {
  const merchant = await app.newMerchant()
  const link = await newLink(merchant, { amount: '12.50', recurring: MONTHLY, ...options })
  const get = async (path: string): Promise<Json> => (await merchant.api(path)).json
  return {
    merchant,
    get,
    link: link.id as string,
    payer: await openPayerClient(app, link.id),
    read: () => readLink(merchant, link.id),
    contracts: async (): Promise<Json[]> => (await get('/contracts?order=created')).contracts,
    charges: async (): Promise<Json[]> => (await get('/charges?order=created')).charges,
  }
}

describe('a link that begins a contract', () => {
  it('makes the contract and its first charge, and the link names them', async () => {
    const { payer, link, read, contracts, charges, get } = await subscription({
      success_url: 'https://shop.example/thanks',
      recurring: { ...MONTHLY, count: 3 },
    })
    expect(payer.checkout.terms.recurring).toEqual({
      frequency: 'MONTH',
      interval: 1,
      count: 3,
      until: null,
    })
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    const [contract] = await contracts()
    const [charge] = await charges()
    expect(contract).toMatchObject({ status: 'ACTIVE', amount: '12.50', payment_link: link })
    expect(charge).toMatchObject({ status: 'PAID', contract: contract.id, payment_link: link })
    const paid = await read()
    expect(paid).toMatchObject({ contract: contract.id, charge: charge.id })
    expect(contract.payment_method).toBe(paid.payment_method)
    const { payment } = await get(`/payments/${paid.payment}`)
    expect(payment.parts).toEqual([{ charge: charge.id, amount: '12.50' }])
    const { result, saved_methods } = (await payer.current()).json.checkout
    expect(result.redirect).toContain(`&contract=${contract.id}&charge=${charge.id}&`)
    expect(result.recurring).toMatchObject({ frequency: 'MONTH', next_due: contract.next_due })
    // The contract charges it, so the payer cannot remove it here.
    expect(saved_methods).toEqual([])
  })

  it('is charged again from the saved method when the next charge is due', async () => {
    const { payer, charges } = await subscription()
    await payer.payByCard(CARDS.approve)
    app.pass(32 * DAY_MS)
    await createDueCharges(app.checkstand.deps)
    await collectDue(app.checkstand.deps)
    expect((await charges()).map(({ status }) => status)).toEqual(['PAID', 'PAID'])
  })

  it('stores the consent as the payer saw it, with amount, rhythm and number', async () => {
    const { payer, get, read } = await subscription({
      amount: null,
      recurring: { frequency: 'WEEK', interval: 2, count: 6 },
    })
    await payer.payByCard(CARDS.approve, { amount: '9.00' })
    const { payment_method } = await get(`/payment_methods/${(await read()).payment_method}`)
    expect(payment_method.consent.text).toMatch(
      /charges €9\.00 to it every 2 weeks, beginning today\. Number of payments in all: 6\.$/,
    )
  })

  it('stores the consent with the contract too, also of a payer whose method is saved already', async () => {
    const merchant = await app.newMerchant()
    const { account, method } = await openPaymentsClient(app, merchant).storeCard()
    const link = await newLink(merchant, { amount: '3.00', account, recurring: MONTHLY })
    const payer = await openPayerClient(app, link.id, { body: { language: 'de' } })
    app.pass(60_000)
    await payer.submit({ payment_method: { id: method, csc: '123' } })
    const { contract } = await readLink(merchant, link.id, 'contract')
    expect(contract.consent).toEqual({
      given: true,
      text: 'Mit der Zahlung stimmen Sie zu, dass Corner Shop dieses Zahlungsmittel speichert und ab heute jeden Monat 3,00\u00a0€ davon abbucht. Das gilt bis zur Kündigung.',
      language: 'de',
      at: new Date(app.now()).toISOString(),
      checkout: payer.checkout.id,
    })
    // What was agreed to when the method was saved stays with the method.
    const saved = (await merchant.api(`/payment_methods/${method}`)).json.payment_method
    expect(saved.consent).toMatchObject({ text: null, checkout: null })
    const fresh = await subscription()
    await fresh.payer.payByCard(CARDS.approve)
    const [{ consent, payment_method }] = (await fresh.contracts()) as [Json]
    const { consent: ofMethod } = (await fresh.get(`/payment_methods/${payment_method}`))
      .payment_method
    expect(consent).toEqual(ofMethod)
  })

  it('stores no consent with a contract that the merchant makes by request', async () => {
    const { contract } = await openPaymentsClient(app).pay(undefined, {
      account: { crm_key: 'by request' },
      payment_method: { token: await cardToken(app, CARDS.approve), save: true },
      recurring: MONTHLY,
    })
    const { json } = await app.merchant.api(`/contracts/${contract}`)
    expect(json.contract.consent).toBeNull()
  })

  it('charges the amount that the payer chose again', async () => {
    const { payer, contracts } = await subscription({ amount: null, default_amount: '5.00' })
    await payer.payByCard(CARDS.approve, { amount: '7.00' })
    expect((await contracts())[0].amount).toBe('7.00')
  })

  it('cancels the contract when the payment is declined, and begins another', async () => {
    const { payer, contracts, charges, read } = await subscription()
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    expect((await contracts()).map(({ status }) => status)).toEqual(['CANCELLED'])
    expect(await read()).toMatchObject({ contract: null, charge: null })
    app.pass(1)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
    expect((await contracts()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE'])
    expect((await charges()).map(({ status }) => status)).toEqual(['CANCELLED', 'PAID'])
  })

  it('begins the contract once a pending payment succeeds', async () => {
    const { payer, contracts, read, charges } = await subscription()
    expect((await payer.payByCard(CARDS.pendingSuccess)).json.outcome).toBe('PENDING')
    expect((await read()).contract).toBe((await contracts())[0].id)
    await reconcileAfter(app, 60_000)
    expect((await charges()).map(({ status }) => status)).toEqual(['PAID'])
    expect((await contracts())[0].payment_method).not.toBeNull()
  })

  it('offers only methods that can be saved', async () => {
    const { payer } = await subscription()
    const { methods, save_card } = payer.checkout
    expect(methods.map(({ storable }: Json) => storable)).not.toContain(false)
    expect(save_card).toEqual({ show: false, initial: true, consent: true })
  })

  it('charges a saved method of the account', async () => {
    const merchant = await app.newMerchant()
    const { account, method } = await openPaymentsClient(app, merchant).storeCard()
    const link = await newLink(merchant, { amount: '3.00', account, recurring: MONTHLY })
    const payer = await openPayerClient(app, link.id)
    const { json } = await payer.submit({ payment_method: { id: method, csc: '123' } })
    expect(json.outcome).toBe('COMPLETED')
    const { contract } = await readLink(merchant, link.id, 'contract')
    expect(contract).toMatchObject({ account, payment_method: method, status: 'ACTIVE' })
  })

  it('ends with the time of the last charge', async () => {
    const until = new Date(app.now() + DAY_MS).toISOString()
    const { payer, link } = await subscription({ recurring: { ...MONTHLY, until } })
    app.pass(DAY_MS)
    expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('GONE')
    expect((await app.call(`/pay/${link}/checkouts`, { body: {} })).status).toBe(410)
  })

  it.each([
    ['charges', { amount: null, account: 'acc_1_a', charges: ['rent'] }, 'recurring must not be'],
    ['save_card false', { save_card: false }, 'save_card must not be false beside recurring'],
    [
      'an end in the past',
      { recurring: { ...MONTHLY, until: '2001-01-01T00:00:00Z' } },
      'recurring.until must be in the future',
    ],
  ])('is refused with %s', async (_, options, message) => {
    const response = await app.merchant.api('/payment_links', {
      body: { payment_link: { options: { amount: '1.00', recurring: MONTHLY, ...options } } },
    })
    expect(errorSummary(response)).toEqual([
      400,
      'INVALID_REQUEST',
      expect.stringContaining(`payment_link.options.${message}`),
    ])
  })
})
