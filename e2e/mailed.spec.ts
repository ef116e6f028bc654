import { Temporal } from 'temporal-polyfill'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { linkIn, moveClock, test } from './mail-fixtures.ts'
import { CheckoutPage } from './pages/checkout.ts'
import { readQrCode } from './qr-code.ts'

/** Payers who get what they need by mail, on a server that sends it. */

test.describe.configure({ mode: 'default' })

const PHONE = { width: 390, height: 844 }

test(
  'a subscriber whose card expires changes it by a mailed link before the next collection',
  { tag: '@deep' },
  async ({ api, checkout, mail, openLink, page }) => {
    const email = 'ada@example.com'
    // The next charge is due in three months, and the card is valid for the next two.
    const today = Temporal.Now.plainDateISO('UTC')
    const last = today.add({ months: 2 })
    const link = await openLink({
      amount: '9.90',
      currency: 'EUR',
      name: 'Tea club',
      description: 'Tea for three months',
      recurring: { frequency: 'MONTH', interval: 3 },
      receipt_email: true,
    })
    await page.getByLabel('Email').fill(email)
    await checkout.fillCard()
    await page
      .getByLabel('Expiry date')
      .fill(last.toString().slice(5, 7) + last.toString().slice(2, 4))
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    const first = await mail.mailTo(email, 'Your receipt')
    expect(first.text).toContain('Payment method: Card ending in 4242')
    const { contract } = await link.read()
    const { next_due } = (await api(`/contracts/${contract}`)).contract

    await moveClock(api, Date.parse(last.with({ day: 1 }).toString()) - 29 * 86_400_000)
    const notice = await mail.mailTo(email, 'Your card')
    await page.setViewportSize(PHONE)
    await page.goto(linkIn(notice, 'Change payment method'))
    await checkout.fillCard(CARDS.mastercard)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save payment method' }).click()
    await expect(checkout.heading('Your payment method is saved')).toBeVisible()
    await expect(page.getByText('Mastercard ending in 4444')).toBeVisible()

    // A reminder can be refused; a receipt is sent all the same.
    await page.goto(linkIn(notice, 'Stop reminders'))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Stop reminders' }).click()
    await expect(page.getByRole('status')).toContainText('sends you no more reminders')
    await expectAccessible(page, 'dark')

    await moveClock(api, Date.parse(next_due) + 3_600_000)
    const { payments } = await api('/payments?limit=1&expand=payment_method,account')
    expect(payments).toMatchObject([
      {
        status: 'SUCCESS',
        amount: '9.90',
        contract,
        payment_method: { card: { last4: '4444' } },
        account: { mail_notices: false },
      },
    ])
    await expect.poll(() => mail.server.received.length).toBe(3)
    const receipt = mail.server.received.at(-1)
    expect(receipt?.subject).toMatch(/^Your receipt/)
    expect(receipt?.text).toContain('Payment method: Card ending in 4444')
    expect(receipt?.text).toContain(`Payment reference: ${payments[0].reference}`)
  },
)

test(
  'a poster is scanned and paid by two payers, who get their receipts by mail',
  { tag: '@deep' },
  async ({ api, checkout, context, mail, page }) => {
    const slug = `donate-${Date.now().toString(36)}`
    const options = {
      name: 'Library fund',
      amount_presets: ['5.00', '10.00'],
      currency: 'EUR',
      receipt_email: true,
    }
    const body = { deep_link: { action: 'PAY', slug, max_uses: 2, options } }
    const { deep_link } = await api('/deep_links', { body })
    const url = await readQrCode(page, `${deep_link.url}/qr.svg`)
    expect(url).toBe(`${mail.program.base}/go/${slug}`)

    await page.setViewportSize(PHONE)
    await checkout.open(url)
    await page.getByRole('radio', { name: '€5.00' }).check()
    await page.getByLabel('Email').fill('grace@example.com')
    await checkout.payToReceipt()
    await expect(page.getByText('g•••@example.com')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Pay again' })).toBeVisible()
    await expectAccessible(page)

    // The session is kept by a tab, so another tab is another payer.
    const second = await context.newPage()
    await second.setViewportSize(PHONE)
    const other = new CheckoutPage(second)
    await other.open(url)
    await second.getByRole('radio', { name: '€10.00' }).check()
    await second.getByLabel('Email').fill('alan@example.com')
    await other.payToReceipt()
    const used = (await api(`/deep_links/${slug}`)).deep_link
    expect(used).toMatchObject({ uses: 2, reserved_uses: 0, status: 'EXHAUSTED' })
    const { payment_links } = await api(`/deep_links/${slug}/payment_links?expand=payment`)
    expect(payment_links).toHaveLength(2)
    for (const [address, amount] of [
      ['grace@example.com', '5.00'],
      ['alan@example.com', '10.00'],
    ] as const) {
      const { text } = await mail.mailTo(address, 'Your receipt')
      expect(text).toContain(`€${amount}`)
      const { payment } = payment_links.find(
        (link: { payment: { amount: string } }) => link.payment.amount === amount,
      )
      expect(text).toContain(`Payment reference: ${payment.reference}`)
    }

    await page.getByRole('link', { name: 'Pay again' }).click()
    await expect(checkout.heading('No longer available')).toBeVisible()
    await expectAccessible(page)
    expect((await page.request.get(`${deep_link.url}/qr.svg`)).status()).toBe(410)
  },
)

test(
  'an invoice of two charges is mailed and paid, and both receipts list them',
  { tag: '@deep' },
  async ({ api, checkout, mail, merchant, page, request }) => {
    const card = { number: CARDS.approve, exp_month: 12, exp_year: 2039, csc: '123' }
    const { token } = await (await request.post('/sandbox/tokens', { data: { card } })).json()
    const email = 'tenant@example.com'
    const { account } = await api('/accounts', { body: { account: { crm_key: 'tenant', email } } })
    const pay = async (payment: object) => {
      const body = { payment: { currency: 'EUR', account: account.id, ...payment } }
      return (await api('/payments', { body })).payment
    }
    const first = await pay({ amount: '1.00', payment_method: { token, save: true } })
    const owe = async (amount: string, description: string, due: string): Promise<string> =>
      (await pay({ amount, description, due, payment_method: first.payment_method })).charge
    const charges = [
      await owe('870.00', 'Rent of March', '2037-03-01T12:00:00Z'),
      await owe('112.40', 'Heating', '2037-03-20T12:00:00Z'),
    ]
    const options = { account: account.id, charges, name: 'Your rent', receipt_email: true }
    const link = await merchant.createLink({ ...options, force_add: true })
    await api(`/payment_links/${link.id}/send`, { body: { mail: { to: email } } })
    const asked = await mail.mailTo(email, 'Payment request')
    expect(asked.text).toMatch(/pay €982\.40\.[^]*Rent of March: €870\.00\nHeating: €112\.40/)

    await checkout.open(linkIn(asked, 'Go to the payment page'))
    const list = page.getByRole('listitem')
    await expect(list).toHaveText([
      /Rent of March\s*Due March 1, 2037\s*€870\.00/,
      /Heating.*€112\.40/,
    ])
    await expect(checkout.payButton).toHaveText(/Pay €982\.40/)
    await expectAccessible(page)
    await checkout.payToReceipt()
    await expect(list).toHaveText([/Rent of March/, /Heating/])
    await expectAccessible(page, 'dark')
    const receipt = await mail.mailTo(email, 'Your receipt')
    expect(receipt.text).toMatch(/€982\.40[^]*Rent of March: €870\.00\nHeating: €112\.40/)
    expect((await link.read()).charge).toBe(charges[0])
    for (const id of charges) expect((await api(`/charges/${id}`)).charge.status).toBe('PAID')
  },
)
