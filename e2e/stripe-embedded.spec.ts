import { findOverflow } from '../widget/gallery/overflow.ts'
import { expect, expectAccessible } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { cardFields, fillCard, STRIPE_CARDS, test } from './stripe-fixtures.ts'

/** Cards in frames of Stripe: in a shop's page, of a saved card, and on small and dark screens. */

test.describe.configure({ mode: 'default' })

test('a card pays in the page of a shop, and 3-D Secure stays in the frame', async ({
  embed,
  page,
}) => {
  const link = await embed()
  const framed = new EmbeddedCheckout(page)
  await fillCard(framed, STRIPE_CARDS.challenge)
  await framed.payButton.click()
  await framed.place.getByRole('link', { name: 'approve' }).click()
  await expect(framed.receipt).toBeVisible()
  expect((await link.read()).status).toBe('PAYMENT_SUCCESS')
})

test(
  'a shop’s page without the fields offers the payer a window of its own',
  { tag: '@deep' },
  async ({ embed, page, stripe }) => {
    await page.route(stripe.scriptUrl, (route) => route.abort())
    const link = await embed()
    const { place } = new EmbeddedCheckout(page)
    await expect(place.getByText('could not be loaded')).toBeVisible()
    const opened = page.context().waitForEvent('page')
    await place.getByRole('link', { name: 'Open in a new window' }).click()
    const window = await opened
    expect(window.url()).toBe(link.url)
    await expect(cardFields(window).number).toBeEditable()
  },
)

test(
  'a saved card pays with its code, entered in a frame',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const account = { email: 'ada@example.com' }
    const first = await openLink({ amount: '5.00', save_card: true, account })
    await fillCard(checkout)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    const saved = await first.read()
    await openLink({ amount: '6.00', account: saved.account })
    await expect(page.getByRole('radio', { name: /ending in 4242/ })).toBeChecked()
    const { code } = cardFields(page)
    await expect(code).toBeEditable()
    await expectAccessible(page)
    await checkout.payButton.click()
    await expect(page.getByText('Enter the security code')).toBeVisible()
    await expect(code).toBeFocused()
    await code.fill('000')
    await checkout.payButton.click()
    await expect(checkout.alert.first()).toContainText('declined the payment')
    await expect(code).toHaveValue('')
    await code.fill('123')
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
  },
)

test(
  'the fields fit a narrow screen and follow the color scheme',
  { tag: '@deep' },
  async ({ openLink, page }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    await openLink()
    const { number } = cardFields(page)
    await expect(number).toBeEditable()
    expect(await page.evaluate(findOverflow)).toEqual([])
    const colors = async () => [
      await number.evaluate((input) => getComputedStyle(input).color),
      await page.getByLabel('Email').evaluate((input) => getComputedStyle(input).color),
    ]
    const [light, own] = await colors()
    expect(light).toBe(own)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(async () => (await colors())[0]).not.toBe(light)
    const [dark, ownDark] = await colors()
    expect(dark).toBe(ownDark)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await number.focus()
    await expect(page.locator('#field-number')).toHaveCSS('outline-style', 'solid')
  },
)
