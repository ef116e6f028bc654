import { describe, expect, it } from 'vitest'
import { FAILING_IBAN, WORKING_IBAN } from '../processors/sandbox/test-cards.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import {
  newLink,
  openPayerClient,
  readLink,
  openNewLink,
  payNewLink,
  returnFromBank,
} from '../../test/payer-client.ts'
import { chargedDuring, errorSummary, reconcileAfter } from '../../test/payments-client.ts'

const app = await startTestApp()
// Live instances require https.
const secure = await startTestApp({ BASE_URL: 'https://shop.test', TRUST_PROXY: '1' })
const { deps } = app.checkstand

async function bankToken(iban: string): Promise<string> {
  const { json } = await app.call('/sandbox/tokens', {
    body: { bank_account: { iban, holder: 'Ada Lovelace' } },
  })
  return json.token
}

const types = (checkout: { methods: { type: string }[] }) =>
  checkout.methods.map(({ type }) => type)

describe('offered methods', () => {
  it.each([
    ['unset', {}, ['CARD', 'DIRECT_DEBIT', 'BANK_TRANSFER']],
    ['saving always', { save_card: true }, ['CARD', 'DIRECT_DEBIT']],
    ['saving never', { save_card: false }, ['CARD', 'BANK_TRANSFER']],
    ['a default alone', { default_save_card: false }, ['CARD', 'DIRECT_DEBIT', 'BANK_TRANSFER']],
  ])('follow the save-card options: %s', async (_what, options, expected) => {
    const link = await newLink(app.merchant, { amount: '1.00', ...options })
    expect(types((await openPayerClient(app, link.id)).checkout)).toEqual(expected)
  })

  it('include no test processor on a live instance', async () => {
    const live = await secure.newMerchant()
    const link = await newLink(live, { amount: '1.00' })
    const { db } = secure.checkstand.deps
    await db
      .updateTable('instances')
      .set({ mode: 'LIVE' })
      .where('id', '=', live.instance.id)
      .execute()
    const payer = await openPayerClient(secure, link.id)
    expect(payer.checkout.methods).toEqual([])
    const error = [400, 'INVALID_REQUEST', 'payment_method.type is not offered by this checkout']
    expect(errorSummary(await payer.payByCard(CARDS.approve))).toEqual(error)
  })

  it('are the only ones accepted', async () => {
    const { payer: never } = await openNewLink(app, { amount: '1.00', save_card: false })
    const debit = { type: 'DIRECT_DEBIT', token: await bankToken(WORKING_IBAN) }
    expect((await never.submit({ payment_method: debit })).status).toBe(400)
    const { payer: always } = await openNewLink(app, { amount: '1.00', save_card: true })
    expect((await always.submit({ payment_method: { type: 'BANK_TRANSFER' } })).status).toBe(400)
  })
})

describe('saving a card', () => {
  it.each([
    ['always', { save_card: true }, false, true],
    ['never', { save_card: false }, false, false],
    ['because the payer ticked it', {}, true, true],
    ['not, because the payer did not tick it', { default_save_card: true }, false, false],
    [
      'hidden but by default',
      { default_save_card: true, hide_save_card_toggle: true },
      false,
      true,
    ],
    ['hidden and not by default', { hide_save_card_toggle: true }, false, false],
  ])('happens %s', async (_what, options, ticked, saved) => {
    const order = { amount: '1.00', account: { email: 'a@example.com' }, ...options }
    const choice = ticked ? { save_card: true } : {}
    const { link, payer } = await payNewLink(app, CARDS.approve, order, choice)
    const paid = await readLink(app.merchant, link.id, 'payment_method')
    if (!saved) return expect(paid.payment_method).toBeNull()
    expect(paid.payment_method).toMatchObject({
      type: 'CARD',
      account: paid.account,
      status: 'ACTIVE',
      reusable: true,
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
      consent: { given: true, language: 'default', checkout: payer.checkout.id },
    })
    const shown = ticked ? 'consent.save' : 'consent.sentence'
    expect(paid.payment_method.consent.text).toBe(
      payer.checkout.strings[shown].replace('{merchant}', 'Corner Shop'),
    )
  })

  it.each([
    ['never', { save_card: false }],
    ['hidden and off', { hide_save_card_toggle: true }],
  ])('is refused when the page never offered it: %s', async (_what, options) => {
    const pay = async () => {
      const order = { amount: '1.00', ...options }
      const response = await payNewLink(app, CARDS.approve, order, { save_card: true })
      const error = [400, 'INVALID_REQUEST', 'save_card is not offered by this checkout']
      expect(errorSummary(response)).toEqual(error)
    }
    expect(await chargedDuring(app, pay)).toEqual([])
  })
})

describe('a saved card', () => {
  async function accountWithCard(): Promise<string> {
    const { link } = await payNewLink(app, CARDS.mastercard, {
      amount: '1.00',
      save_card: true,
      account: { email: 'a@example.com' },
    })
    return (await readLink(app.merchant, link.id)).account
  }

  it('is listed only on a link with its account, by brand, digits and expiry', async () => {
    const account = await accountWithCard()
    const { payer: bound } = await openNewLink(app, { amount: '2.00', account })
    expect(bound.checkout.saved_methods).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        type: 'CARD',
        brand: 'mastercard',
        last4: '4444',
        exp_month: 12,
        exp_year: 2034,
      },
    ])
    const others = [{ account, force_add: true }, { account: { email: 'a@example.com' } }, {}]
    for (const options of others) {
      const { payer } = await openNewLink(app, { amount: '2.00', ...options })
      expect(payer.checkout.saved_methods).toEqual([])
    }
  })

  it('is not listed when the instance disables saved methods', async () => {
    const account = await accountWithCard()
    const link = await newLink(app.merchant, { amount: '2.00', account })
    const setting = (link_saved_methods: number) =>
      deps.db
        .updateTable('instances')
        .set({ link_saved_methods })
        .where('id', '=', app.merchant.instance.id)
        .execute()
    await setting(0)
    expect((await openPayerClient(app, link.id)).checkout.saved_methods).toEqual([])
    await setting(1)
    expect((await openPayerClient(app, link.id)).checkout.saved_methods).toHaveLength(1)
  })

  it('pays with its security code, creates no second method, and is set on the link', async () => {
    const account = await accountWithCard()
    const { link, payer } = await openNewLink(app, { amount: '3.00', account, save_card: false })
    const [{ id }] = payer.checkout.saved_methods
    const missing = await payer.submit({ payment_method: { id } })
    const error = [400, 'INVALID_REQUEST', 'payment_method.csc is required']
    expect(errorSummary(missing)).toEqual(error)
    const pay = () => payer.submit({ payment_method: { id, csc: '123' } })
    expect(await chargedDuring(app, pay)).toEqual([300])
    expect(await readLink(app.merchant, link.id)).toMatchObject({ payment_method: id, account })
    const { json } = await app.merchant.api(`/payment_methods?criteria=account=${account}`)
    expect(json.meta.total).toBe(1)
  })

  it('of another account cannot be used', async () => {
    const own = await openNewLink(app, { account: await accountWithCard() })
    const other = await openNewLink(app, { account: await accountWithCard() })
    const [{ id }] = own.payer.checkout.saved_methods
    const response = await other.payer.submit({
      amount: '1.00',
      payment_method: { id, csc: '123' },
    })
    const message = 'payment_method.id is not a saved method of this checkout'
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', message])
  })
})

describe('direct debit', () => {
  it('is pending first, is always stored, and is offered again only with consent', async () => {
    const { link, payer } = await openNewLink(app, {
      amount: '4.00',
      account: { email: 'a@example.com' },
    })
    const payment_method = { type: 'DIRECT_DEBIT', token: await bankToken(WORKING_IBAN) }
    const { json } = await payer.submit({ payment_method, save_card: true })
    expect(json.outcome).toBe('PENDING')
    expect((await readLink(app.merchant, link.id)).payment_method).toBeNull()
    await reconcileAfter(app, 2_000)
    const paid = await readLink(app.merchant, link.id, 'payment_method')
    expect(paid.status).toBe('PAYMENT_SUCCESS')
    expect(paid.payment_method).toMatchObject({ type: 'DIRECT_DEBIT', reusable: false, card: null })
    const { payer: next } = await openNewLink(app, { amount: '1.00', account: paid.account })
    expect(next.checkout.saved_methods).toEqual([])
  })

  it('frees the link when it fails later', async () => {
    const { link, payer } = await openNewLink(app)
    const token = await bankToken(FAILING_IBAN)
    await payer.submit({ payment_method: { type: 'DIRECT_DEBIT', token } })
    await reconcileAfter(app, 2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
  })
})

describe('bank transfer', () => {
  it('redirects to the bank, is pending on return, and succeeds when the bank confirms', async () => {
    const { link, payer } = await openNewLink(app, {
      amount: '8.00',
      skip_receipt: true,
      pending_url: 'https://shop.example/wait?x=1',
    })
    const { json } = await payer.submit({
      payment_method: { type: 'BANK_TRANSFER', processor: 'sandbox' },
    })
    expect(json.outcome).toBe('ACTION')
    const back = await returnFromBank(app, json.action.url)
    const { transaction } = await readLink(app.merchant, link.id)
    expect(back.headers.get('location')).toBe(
      `https://shop.example/wait?x=1&payment_link=${link.id}&status=PENDING&transaction=${transaction}`,
    )
    await reconcileAfter(app, 2_000)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })
})

describe('after a payment', () => {
  const success_url = 'https://shop.example/ok?q=a%20b&flag#top'
  const pending_url = 'https://shop.example/wait'
  const page_success_message = 'Merci'
  const page_pending_message = 'Patience'
  // Card, options, immediate redirect, redirect URL, message.
  const rows: [
    keyof typeof CARDS,
    Record<string, unknown>,
    boolean,
    string | null,
    string | null,
  ][] = [
    ['approve', { skip_receipt: true, success_url, page_success_message }, true, success_url, null],
    ['approve', { skip_receipt: true, page_success_message }, false, null, null],
    ['approve', { success_url, page_success_message }, false, success_url, null],
    ['approve', { page_success_message }, false, null, 'Merci'],
    ['approve', {}, false, null, null],
    ['pendingSuccess', { skip_receipt: true, pending_url, success_url }, true, pending_url, null],
    ['pendingSuccess', { skip_receipt: true, success_url }, false, null, null],
    ['pendingSuccess', { pending_url, page_pending_message }, false, pending_url, null],
    ['pendingSuccess', { page_pending_message }, false, null, 'Patience'],
    ['pendingSuccess', { success_url, page_success_message }, false, null, null],
  ]
  it.each(rows)('%s with %j', async (card, options, leaves, url, message) => {
    const { link, payer } = await openNewLink(app, { amount: '1.00', ...options })
    const response = (await payer.payByCard(CARDS[card])).json
    const { transaction } = await readLink(app.merchant, link.id)
    const status = card === 'approve' ? 'COMPLETED' : 'PENDING'
    const ours = `payment_link=${link.id}&status=${status}&transaction=${transaction}`
    const expected =
      url === success_url
        ? `https://shop.example/ok?q=a%20b&flag&${ours}#top`
        : url && `${url}?${ours}`
    expect(response.outcome).toBe(status)
    expect(response.redirect ?? null).toBe(leaves ? expected : null)
    const { result } = (await payer.current()).json.checkout
    expect([result.redirect, result.skip_receipt, result.message]).toEqual([
      expected,
      leaves,
      message,
    ])
  })

  it('adds only ids of method, account and payment to the redirect URL', async () => {
    const { link, json } = await payNewLink(app, CARDS.approve, {
      amount: '1.00',
      success_url: 'https://shop.example/',
      skip_receipt: true,
      save_card: true,
      account: { email: 'a@example.com', first_name: 'Ada' },
    })
    const paid = await readLink(app.merchant, link.id)
    expect(json.redirect).toBe(
      `https://shop.example/?payment_link=${link.id}&status=COMPLETED&transaction=${paid.transaction}&payment_method=${paid.payment_method}&account=${paid.account}`,
    )
    expect(new URL(json.return_url).pathname).toMatch(/^\/pay\/checkouts\/[\w-]{32}\/return$/)
    const back = await app.call(new URL(json.return_url).pathname)
    expect([back.status, back.headers.get('location')]).toEqual([303, json.redirect])
  })

  it('shows the receipt again when the payer goes back', async () => {
    const { link, payer } = await openNewLink(app, {
      amount: '1.00',
      success_url,
      skip_receipt: true,
    })
    const { json } = await payer.payByCard(CARDS.approve)
    await app.call(new URL(json.return_url).pathname)
    const again = await app.call(new URL(json.return_url).pathname)
    expect(again.headers.get('location')).toContain(`/pay/${link.id}?ck=`)
  })
})
