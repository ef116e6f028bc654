import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { DAY_MS, testCharges } from '../../test/charges.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import { MAIL_SETTINGS } from '../../test/mail-settings.ts'
import {
  forgetMails,
  listMails,
  type ReceivedMail,
  sendMail,
  startMailServer,
} from '../../test/mail-server.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { reconcileDue } from '../payments/reconcile.ts'

const app = await startTestApp(MAIL_SETTINGS)
const { deps } = app.checkstand
afterEach(() => forgetMails(app))

const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const OPTIONS = {
  amount: '1234.50',
  currency: 'EUR',
  receipt_email: true,
  name: 'Two bags of coffee',
  alt_key: 'order-1001',
  description: 'Dark roast',
  timezone: 'Europe/Paris',
}

/** Pays a new link and returns the link and the last response of its session. */
async function pay({
  merchant = app.merchant,
  options = {},
  language,
  account = ADA,
  card = CARDS.approve,
}: {
  merchant?: typeof app.merchant
  options?: Record<string, unknown>
  language?: string
  account?: Record<string, unknown>
  card?: string
} = {}) {
  const link = await newLink(merchant, { ...OPTIONS, ...options })
  const payer = await openPayerClient(app, link.id, { body: language ? { language } : {} })
  const response = await payer.payByCard(card, { account })
  expect(response.status, response.text).toBe(200)
  return { link, payer, result: (await payer.current()).json.checkout.result }
}

/** Sends all that is due and returns the mails. */
async function received(): Promise<ReceivedMail[]> {
  const server = await startMailServer()
  await sendMail(app, server)
  return server.received
}

/** The HTML as its reader sees it. */
const shown = ({ html = '' }: ReceivedMail) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<title>.*?<\/title>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe('the receipt of a payment by link', () => {
  it('says who was paid, how much, when and for what, in English', async () => {
    const { link, result } = await pay()
    const [mail] = await received()
    expect(mail?.subject).toBe('Your receipt from Corner Shop')
    expect(mail?.envelope.to).toEqual(['ada@example.com'])
    const rows = [
      '€1,234.50',
      'Thank you. Corner Shop has received your payment.',
      'Recipient: Corner Shop',
      'Payment for: Two bags of coffee',
      'Reference: order-1001',
      `Payment reference: ${result.reference}`,
      'Comment: Dark roast',
      'Payment method: Card ending in 4242',
      'Date: May 1, 2030 at 2:00 PM GMT+2',
      `View the receipt:\n${link.url}`,
      'Test mode: no real money moves.',
    ]
    for (const row of rows) expect(mail?.text).toContain(row)
    expect(mail?.html).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/)
    for (const text of ['€1,234.50', 'order-1001', result.reference, 'Dark roast']) {
      expect(shown(mail as ReceivedMail)).toContain(text)
    }
    expect(mail?.html).toContain(`href="${link.url}"`)
  })

  it.each([
    ['de', 'Ihr Zahlungsbeleg von Corner Shop', /1\.234,50\s€/, '1. Mai 2030', 'ltr'],
    [
      'ar',
      'إيصالك من \u2068Corner Shop\u2069',
      /1,234\.50\s€|€\s*1,234\.50|١٬٢٣٤٫٥٠/,
      '2030',
      'rtl',
    ],
  ])('is in the language of the session: %s', async (language, subject, amount, day, direction) => {
    await pay({ language })
    const [mail] = await received()
    expect(mail?.subject).toBe(subject)
    expect(mail?.text).toMatch(amount)
    expect(mail?.text).toContain(day)
    expect(mail?.header('content-language')).toBe(language)
    expect(mail?.html).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(mail?.html).toContain(direction === 'rtl' ? 'text-align:right' : 'text-align:left')
  })

  it('has the wording and the name of the branding', async () => {
    const merchant = await app.newMerchant()
    const kids = { key: 'kids', name: 'Kids Corner', channels: ['kids'] }
    await merchant.api('/instances/default', {
      method: 'PUT',
      body: { instance: { brandings: [kids] } },
    })
    await merchant.api('/strings/email.receipt_subject', {
      method: 'PUT',
      body: { string: { text: '{merchant} says <thanks>', branding: 'kids' } },
    })
    await pay({ merchant, options: { channel: 'kids' } })
    const [mail] = await received()
    expect(mail?.subject).toBe('Kids Corner says <thanks>')
    expect(mail?.from?.name).toBe('Kids Corner')
    expect(mail?.html).toContain('<title>Kids Corner says &lt;thanks&gt;</title>')
  })

  it('shows names as text, whatever is in them', async () => {
    const name = '"><script>alert(1)</script>\r\nBcc: eve@example.com\r\n\r\n\u202Emoc.live'
    const merchant = await app.newMerchant({ name })
    await pay({
      merchant,
      options: { name: '<img src=x onerror=y>', description: '{merchant} & Co' },
    })
    const [mail] = await received()
    const single = '"><script>alert(1)</script> Bcc: eve@example.com moc.live'
    expect(mail?.subject).toBe(`Your receipt from ${single}`)
    expect(mail?.from).toEqual({ name: single, address: 'pay@checkstand.test' })
    expect(mail?.bcc ?? []).toEqual([])
    expect(mail?.envelope.to).toEqual(['ada@example.com'])
    expect(mail?.html).not.toMatch(/<script|<img|\u202E/)
    expect(mail?.html).toContain('&lt;img src=x onerror=y&gt;')
    expect(mail?.html).toContain('{merchant} &amp; Co')
  })

  it('has the quantity, and each charge that was paid', async () => {
    const { newAccount, newCharge } = testCharges(app)
    const accountId = await newAccount()
    await app.merchant.api(`/accounts/${accountId}`, {
      method: 'PUT',
      body: { account: { email: 'owes@example.com' } },
    })
    const charge = (description: string, amount: number) =>
      newCharge({ accountId, amount, currency: 'EUR', description })
    const owed = [await charge('March', 1000), await charge('April', 2050)]
    const amountless = { receipt_email: true, currency: 'EUR' }
    const bill = await newLink(app.merchant, {
      ...amountless,
      account: accountId,
      charges: owed.map(({ id }) => id),
    })
    await (await openPayerClient(app, bill.id)).payByCard(CARDS.approve)
    const cups = await newLink(app.merchant, {
      ...amountless,
      unit_amount: '5.00',
      quantity_max: 9,
    })
    const payer = await openPayerClient(app, cups.id)
    await payer.payByCard(CARDS.approve, { account: ADA, quantity: 3, amount: '15.00' })
    const mails = await received()
    const to = (address: string) => mails.find(({ envelope }) => envelope.to[0] === address)
    const [paid, bought] = [to('owes@example.com'), to('ada@example.com')]
    expect(paid?.text).toContain('€30.50')
    expect(paid?.text).toContain('March: €10.00\nApril: €20.50')
    expect(bought?.text).toContain('Quantity: 3 × €5.00')
  })

  it('names the legal entity as it was at the payment, also in the merchant’s own words', async () => {
    const merchant = await app.newMerchant()
    const { entity, change } = openEntitiesClient(merchant)
    const nord = await entity({
      tax_ids: [{ type: 'VAT', country: 'FR', value: 'FR00123456789' }],
      address: { line1: '3 rue du Four', line4: 'Lille', line5: '59000', country: 'FR' },
      registration_number: 'RCS 123',
      receipt_footer: 'TVA acquittée\n<b>sur les débits</b>',
      terms_url: 'https://nord.example/terms',
    })
    const text = '{legal_name} ({vat}) thanks you'
    await merchant.api('/strings/receipt.thanks', { method: 'PUT', body: { string: { text } } })
    await pay({ merchant })
    await change(nord.id, { legal_name: 'Atelier Sud SAS', receipt_footer: null })
    const [mail] = await received()
    expect(mail?.text).toContain('Atelier Nord SAS (FR00123456789) thanks you')
    expect(mail?.text).toContain(
      [
        '-- ',
        'TVA acquittée',
        '<b>sur les débits</b>',
        'Atelier Nord SAS',
        '3 rue du Four, 59000 Lille, France',
        'Registered: RCS 123',
        'VAT number: FR00123456789',
        'Terms and conditions: https://nord.example/terms',
      ].join('\n'),
    )
    expect(shown(mail as ReceivedMail)).toContain('3 rue du Four, 59000 Lille, France')
    expect(mail?.html).toContain('&lt;b&gt;sur les débits&lt;/b&gt;')
    const plain = await app.newMerchant()
    await plain.api('/strings/receipt.thanks', { method: 'PUT', body: { string: { text } } })
    await pay({ merchant: plain })
    expect((await received())[0]?.text).toContain('Corner Shop () thanks you')
  })

  it('loads nothing when it is opened', async () => {
    await pay()
    const [mail] = await received()
    expect(mail?.html).not.toMatch(/<(img|link|script|iframe|object)|url\(|@import|src=/)
    expect(mail?.attachments).toEqual([])
  })

  it('is one, however often the payment is submitted, read and settled', async () => {
    const { payer } = await pay({ card: CARDS.pendingSuccess })
    expect(await listMails(app)).toEqual([])
    app.pass(60_000)
    await Promise.all([reconcileDue(deps), reconcileDue(deps), payer.current()])
    await payer.current()
    expect(await listMails(app)).toMatchObject([{ kind: 'RECEIPT', status: 'WAITING' }])
    expect(await received()).toHaveLength(1)
    expect(await received()).toHaveLength(0)
  })

  it('is announced to its payer only, with the address masked', async () => {
    const { link, result } = await pay()
    expect(result.receipt_to).toBe('\u2068a•••@example.com\u2069')
    const other = await openPayerClient(app, link.id)
    expect((await other.current()).json.checkout.result.receipt_to).toBeNull()
    expect((await pay({ options: { receipt_email: false } })).result.receipt_to).toBeNull()
  })

  it('is not sent without the option, without a success or without a mail server', async () => {
    await pay({ options: { receipt_email: null } })
    await pay({ card: CARDS.decline })
    expect(await listMails(app)).toEqual([])
    const silent = await startTestApp()
    const link = await newLink(silent.merchant, OPTIONS)
    const payer = await openPayerClient(silent, link.id)
    await payer.payByCard(CARDS.approve, { account: ADA })
    expect((await payer.current()).json.checkout.result).toMatchObject({
      outcome: 'COMPLETED',
      receipt_to: null,
    })
    expect(await listMails(silent)).toEqual([])
  })

  it('is dropped for a payer whose details were removed meanwhile', async () => {
    await pay()
    await deps.db
      .updateTable('payments')
      .set({ payer_details: null, account_id: null })
      .where('payer_details', 'is not', null)
      .execute()
    expect(await received()).toEqual([])
    expect(await listMails(app)).toMatchObject([{ status: 'FAILED', error: 'NO_RECIPIENT' }])
  })
})

describe('the receipts of a contract that a link began', () => {
  const later = async (merchant: typeof app.merchant) => {
    app.pass(31 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    const { payments } = (await merchant.api('/payments?order=created')).json
    return payments.at(-1)
  }

  it('follow for each charge that is collected, with the card that was charged', async () => {
    const merchant = await app.newMerchant()
    const tea = { name: 'Tea club', description: 'Tea for a month', alt_key: null }
    const recurring = { frequency: 'MONTH' }
    await pay({ merchant, options: { ...tea, recurring }, card: CARDS.mastercard })
    const [first] = await received()
    expect(first?.text).toContain('Date: ')
    const payment = await later(merchant)
    expect(payment).toMatchObject({ status: 'SUCCESS', payment_link: null })
    const [mail, more] = await received()
    expect(more).toBeUndefined()
    expect(mail?.envelope.to).toEqual(['ada@example.com'])
    expect(mail?.subject).toBe('Your receipt from Corner Shop')
    const rows = [
      '€1,234.50',
      'Comment: Tea for a month',
      `Payment reference: ${payment.reference}`,
      'Payment method: Card ending in 4444',
    ]
    for (const row of rows) expect(mail?.text).toContain(row)
    expect(mail?.text).not.toMatch(/View the receipt|Tea for a month: /)
    await openPaymentsClient(app, merchant).refund(payment.id)
    expect((await received()).map(({ subject }) => subject)).toEqual(['Refund from Corner Shop'])
  })

  it('are not sent where the link sends none', async () => {
    const merchant = await app.newMerchant()
    const recurring = { frequency: 'MONTH' }
    await pay({ merchant, options: { recurring, receipt_email: null } })
    expect(await later(merchant)).toMatchObject({ status: 'SUCCESS' })
    const mails = await listMails(app)
    expect(mails.filter(({ instance_id }) => instance_id === merchant.instance.id)).toEqual([])
  })
})

describe('the receipt of a refund', () => {
  it('follows that of its payment, in the same language, for each refund', async () => {
    const client = openPaymentsClient(app)
    const { link } = await pay({ language: 'de' })
    const paid = (await app.merchant.api(`/payment_links/${link.id}`)).json.payment_link.payment
    await received()
    await client.refund(paid, { amount: '200.00' })
    await client.refund(paid, { amount: '34.50', offline: true })
    const mails = await received()
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => 'Erstattung von Corner Shop'),
    )
    expect(mails.map(({ text }) => String(/[\d.,]+\s€/.exec(text ?? ''))).toSorted()).toEqual([
      '200,00\u00a0€',
      '34,50\u00a0€',
    ])
    expect(mails[0]?.text).toContain('order-1001')
  })

  it('is not sent for a payment without a receipt by mail, nor for a refund that failed', async () => {
    const client = openPaymentsClient(app)
    const { id } = await client.pay()
    await client.refund(id)
    expect(await listMails(app)).toEqual([])
    const { link } = await pay({ card: CARDS.refundPendingFailure })
    const paid = (await app.merchant.api(`/payment_links/${link.id}`)).json.payment_link.payment
    await client.refund(paid)
    app.pass(60_000)
    await reconcileDue(deps)
    expect(await listMails(app)).toMatchObject([{ kind: 'RECEIPT' }])
  })
})

describe('the receipt of a free trial', () => {
  const recurring = { frequency: 'MONTH', trial_days: 14 }
  const day = (ms: number) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(ms)

  it('says that nothing was taken, what is agreed and when the first payment is due', async () => {
    const { link, result } = await pay({ options: { recurring } })
    expect(result.receipt_to).toContain('@example.com')
    const [mail, ...others] = await received()
    expect(others).toEqual([])
    expect(mail?.envelope.to).toEqual(['ada@example.com'])
    const rows = [
      'Your free trial has begun',
      '€0.00',
      'Nothing has been charged.',
      'Recipient: Corner Shop',
      'Payment for: Two bags of coffee',
      'Reference: order-1001',
      'Comment: Dark roast',
      'Payment method: Card ending in 4242',
      'Repeats: €1,234.50 · every month',
      `First payment: ${day(app.now() + 14 * DAY_MS)}`,
      `View the receipt:\n${link.url}`,
    ]
    for (const row of rows) expect(mail?.text).toContain(row)
  })

  it('is followed by that of the first payment, and is not sent for a decline', async () => {
    await pay({ options: { recurring }, card: CARDS.decline })
    expect(await received()).toEqual([])
    await pay({ options: { recurring, alt_key: 'order-7' } })
    const receipts = async () =>
      (await received())
        .filter(({ text }) => text?.includes('Reference: order-7'))
        .map(({ text }) => /€[\d,.]+/.exec(text ?? '')?.[0])
    expect(await receipts()).toEqual(['€0.00'])
    app.pass(14 * DAY_MS)
    await createDueCharges(deps)
    await collectDue(deps)
    expect(await receipts()).toEqual(['€1,234.50'])
  })
})
