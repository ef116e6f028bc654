import { CARD_DIGITS, expect, expectAccessible } from './fixtures.ts'
import { hold } from './network.ts'
import { cardFields, fillCard, STRIPE_CARDS, test } from './stripe-fixtures.ts'

/** A card in frames of Stripe, from link to receipt. */

test.describe.configure({ mode: 'default' })

test('a payer pays with a card that only the frames of Stripe see', async ({
  checkout,
  openLink,
  page,
  stripe,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin === stripe.program.base) {
      sent.push(request.url() + (request.postData() ?? ''))
    }
  })
  const link = await openLink({ amount: '24.00', currency: 'EUR', name: 'Two bags of coffee' })
  const fields = cardFields(page)
  await expect(fields.number).toBeEditable()
  await expectAccessible(page)
  await page.getByText('Card number', { exact: true }).click()
  await expect(fields.number).toBeFocused()
  await page.keyboard.type(STRIPE_CARDS.approve)
  await page.keyboard.press('Tab')
  await expect(fields.expiry).toBeFocused()
  await fillCard(checkout)
  expect(await page.content()).not.toMatch(CARD_DIGITS)
  await checkout.payButton.click()
  await expect(checkout.receipt).toBeVisible()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()
  const paid = await link.read('payment')
  expect([paid.status, paid.payment.amount]).toEqual(['PAYMENT_SUCCESS', '24.00'])
  expect(sent.join('\n')).not.toContain(STRIPE_CARDS.approve)
  expect(stripe.program.output()).not.toContain(STRIPE_CARDS.approve)
})

test(
  'missing fields, a wrong number and a decline are explained beside the fields',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink()
    const { number, code } = cardFields(page)
    await expect(number).toBeEditable()
    await checkout.payButton.click()
    await expect(number).toBeFocused()
    await expect(page.getByText('Enter the card number')).toBeVisible()
    await expectAccessible(page, 'dark')
    await fillCard(checkout, '4242424242424241')
    await page.getByLabel('Email').focus()
    await expect(page.getByText('A digit seems to be wrong')).toBeVisible()
    await fillCard(checkout, STRIPE_CARDS.insufficient)
    await checkout.payButton.click()
    await expect(checkout.alert.first()).toContainText('There is not enough money')
    await expect(code).toHaveValue('')
    await expect(number).not.toHaveValue('')
    expect((await link.read()).attempts).toBe(1)
    await fillCard(checkout)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
  },
)

test(
  'a double press makes one payment method and one payment',
  { tag: '@deep' },
  async ({ checkout, openLink, page, stripe }) => {
    const made = () =>
      stripe.fake.requests.filter(({ path }) => path === '/v1/payment_methods').length
    const link = await openLink()
    await fillCard(checkout)
    const before = made()
    await checkout.payButton.dblclick()
    await page.keyboard.press('Enter')
    await expect(checkout.receipt).toBeVisible()
    expect([(await link.read()).attempts, made() - before]).toEqual([1, 1])
  },
)

test('3-D Secure returns a payer to the form or to the receipt, without secrets of Stripe', async ({
  checkout,
  openLink,
  page,
  stripe,
}) => {
  await openLink()
  await fillCard(checkout, STRIPE_CARDS.challenge)
  await checkout.payButton.click()
  await page.getByRole('link', { name: 'decline' }).click()
  await expect(checkout.alert.first()).toContainText('could not confirm that it was you')
  await fillCard(checkout, STRIPE_CARDS.challenge)
  await checkout.payButton.click()
  await page.getByRole('link', { name: 'approve' }).click()
  await expect(checkout.receipt).toBeVisible()
  expect(page.url()).not.toContain('payment_intent')
  expect(stripe.program.output()).not.toContain('payment_intent_client_secret')
})

test(
  'a change of the language loads the fields again and says so',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await fillCard(checkout)
    const languages = page.locator('.language select')
    await languages.focus()
    await languages.selectOption('de')
    await expect(page.getByText('Die Kartenfelder wurden neu geladen')).toBeVisible()
    const { number } = cardFields(page)
    await expect(number).toHaveValue('')
    await expect(page.frameLocator('iframe').first().locator('html')).toHaveAttribute('lang', 'de')
    await fillCard(checkout)
    await page.getByRole('button', { name: /zahlen$/ }).click()
    await expect(page.getByRole('heading', { name: 'Zahlung abgeschlossen' })).toBeVisible()
  },
)

test(
  'a press before the fields are ready waits for them',
  { tag: '@deep' },
  async ({ checkout, openLink, page, stripe }) => {
    const script = await hold(page, stripe.scriptUrl)
    const link = await openLink()
    await checkout.payButton.click()
    await expect(page.locator('.card-fields').getByText('still loading')).toBeVisible()
    script.release()
    await expect(page.getByText('Enter the card number')).toBeVisible()
    await expect(cardFields(page).number).toBeFocused()
    expect((await link.read()).attempts).toBe(0)
    await fillCard(checkout)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
  },
)

const BROKEN = {
  'is blocked': { abort: true },
  'throws while it loads': { body: 'throw new TypeError("broken")' },
  'throws when it is called': { body: 'window.Stripe = () => { throw new TypeError("broken") }' },
  'cannot load its fields': { prefix: 'window.standIn = { loadError: true };' },
}

for (const [what, broken] of Object.entries(BROKEN)) {
  const tag = what === 'is blocked' ? [] : ['@deep']
  const title = `a script that ${what} is explained, and Try again loads it once more`
  test(title, { tag }, async ({ checkout, merchant, page, stripe }) => {
    await page.route(stripe.scriptUrl, async (route) => {
      if ('abort' in broken) return route.abort()
      if ('body' in broken) {
        return route.fulfill({ body: broken.body, contentType: 'text/javascript' })
      }
      const response = await route.fetch()
      return route.fulfill({ response, body: broken.prefix + (await response.text()) })
    })
    // The script's own error is none of the page, which would fail the test.
    await page.addInitScript("addEventListener('error', (event) => event.preventDefault())")
    const { url } = await merchant.createLink()
    await page.goto(url)
    const blocked = page.getByText('could not be loaded')
    await expect(blocked).toBeVisible()
    if (what === 'is blocked') await expectAccessible(page, 'dark')
    await checkout.payButton.click()
    await expect(page.locator('#field-number')).toBeFocused()
    await page.unroute(stripe.scriptUrl)
    await page.evaluate(() => Reflect.deleteProperty(window, 'standIn'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(cardFields(page).number).toBeEditable()
    await expect(blocked).toHaveCount(0)
  })
}
