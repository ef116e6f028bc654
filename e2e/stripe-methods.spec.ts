import { expect, expectAccessible } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { fillCard, test } from './stripe-fixtures.ts'

/** Direct debits and methods of banks, offered by a connected Stripe. */

test.describe.configure({ mode: 'default' })
test.use({ methods: ['CARD', 'DIRECT_DEBIT', 'IDEAL', 'PRZELEWY'] })

const IBAN = 'DE89370400440532013000'

test(
  'a direct debit is ordered without the IBAN reaching this server',
  { tag: '@deep' },
  async ({ checkout, openLink, page, stripe }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin === stripe.program.base) {
        sent.push(request.url() + (request.postData() ?? ''))
      }
    })
    const link = await openLink({ amount: '24.00', currency: 'EUR' })
    await page.getByRole('radio', { name: 'Direct debit' }).check()
    await expect(page.getByText(/you authorize .* and its payment provider Stripe/)).toBeVisible()
    await expectAccessible(page)
    await checkout.payButton.click()
    await expect(page.getByText('Enter an email address')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('IBAN').fill(IBAN)
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await checkout.payButton.click()
    await expect(page.getByText('Your bank still has to complete it')).toBeVisible()
    expect((await link.read()).status).toBe('PAYMENT_PENDING')
    const groups = IBAN.replaceAll(/(.{4})(?=.)/g, '$1.?')
    expect(sent.join('\n')).toContain('DIRECT_DEBIT')
    expect(sent.join('\n')).not.toMatch(new RegExp(groups))
    expect(stripe.program.output()).not.toMatch(new RegExp(groups))
    const made = stripe.fake.requests.find(({ body }) => body.includes('sepa_debit%5Biban%5D'))
    expect(new URLSearchParams(made?.body).get('billing_details[name]')).toBe('Ada Lovelace')
  },
)

test(
  'a payer approves at the bank, or comes back and pays by card',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink({ amount: '24.00', currency: 'EUR' })
    await page.getByRole('radio', { name: 'iDEAL' }).check()
    await expectAccessible(page, 'dark')
    await checkout.payButton.click()
    await expect(page.getByText('Enter your name')).toBeVisible()
    await page.getByLabel('Last name').fill('Lovelace')
    await checkout.payButton.click()
    await expect(page.getByRole('heading', { name: 'Your bank' })).toBeVisible()
    // The payer leaves a page that has loaded, which another navigation could not interrupt.
    await page.waitForLoadState()
    await page.goto(link.url)
    await page.getByRole('button', { name: 'Pay another way' }).click()
    await page.getByRole('radio', { name: 'Card' }).check()
    await fillCard(checkout)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    await expect(page.getByText('Visa ending in 4242')).toBeVisible()

    const other = await openLink({ amount: '7.00', currency: 'EUR' })
    await page.getByRole('radio', { name: 'Przelewy24' }).check()
    await page.getByLabel('Email').fill('ada@example.com')
    await checkout.payButton.click()
    await page.getByRole('link', { name: 'approve' }).click()
    await expect(checkout.receipt).toBeVisible()
    await expect(page.getByText('Przelewy24')).toBeVisible()
    expect((await other.read()).status).toBe('PAYMENT_SUCCESS')
  },
)

test(
  'the bank of a method opens over the page of a shop',
  { tag: '@deep' },
  async ({ embed, page }) => {
    const link = await embed({ amount: '24.00', currency: 'EUR' })
    const { payButton, place } = new EmbeddedCheckout(page)
    await place.getByRole('radio', { name: 'iDEAL' }).check()
    await place.getByLabel('Last name').fill('Lovelace')
    await payButton.click()
    await page.getByRole('link', { name: 'approve' }).click()
    await expect.poll(async () => (await link.read()).status).toBe('PAYMENT_SUCCESS')
  },
)

test(
  'a direct debit says that the connection failed, and a later press works',
  { tag: '@deep' },
  async ({ checkout, openLink, page, stripe }) => {
    await page.route(stripe.scriptUrl, (route) => route.abort())
    await openLink({ amount: '24.00', currency: 'EUR' })
    await page.getByRole('radio', { name: 'Direct debit' }).check()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('IBAN').fill(IBAN)
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await checkout.payButton.click()
    await expect(checkout.alert.first()).toContainText('Your payment was not sent')
    await page.unroute(stripe.scriptUrl)
    await checkout.payButton.click()
    await expect(page.getByText('Your bank still has to complete it')).toBeVisible()
  },
)
