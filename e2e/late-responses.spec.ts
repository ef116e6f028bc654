import { expect } from './fixtures.ts'
import { test } from './test.ts'
import { hold } from './network.ts'

/** Responses that arrive late or out of order. */

test('a submit pays only the amount that the button showed', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '24.00' })
  const session = await hold(page, '**/checkouts')
  await page.goto(link.url)
  await checkout.fillCard()
  await expect(checkout.payButton).toHaveText('Pay €24.00')
  await checkout.payButton.click()
  await link.change({ options: { amount: '30.00' } })
  session.release()
  await expect(checkout.alert).toContainText('€30.00')
  await expect(checkout.payButton).toHaveText('Pay €30.00')
  expect((await link.read()).payment).toBeNull()
  await checkout.payToReceipt()
  expect((await link.read('payment')).payment.amount).toBe('30.00')
})

test('the language chosen last wins', { tag: '@deep' }, async ({ merchant, page }) => {
  const link = await merchant.createLink()
  const first = await hold(page, '**/checkouts', { times: 1 })
  await page.goto(link.url)
  await first.requested
  const menu = page.locator('select[name=language]')
  await menu.focus()
  await menu.selectOption('fr')
  await page.waitForTimeout(500)
  first.release()
  await page.waitForTimeout(500)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

test(
  'a language change during a payment does not replace its session',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await checkout.fillCard()
    const session = await hold(page, '**/checkouts')
    const submit = await hold(page, '**/submit')
    const menu = page.locator('select[name=language]')
    await menu.focus()
    await menu.selectOption('fr')
    await session.requested
    await checkout.payButton.click()
    await submit.requested
    const responded = page.waitForResponse('**/checkouts')
    session.release()
    await responded
    submit.release()
    // Only the session that paid gets the payment method.
    await expect(page.getByText('4242')).toBeVisible()
  },
)

test(
  'a card that could not be tokenized shows a notice until it can be',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await page.route('**/sandbox/tokens', (route) => route.abort())
    await checkout.pay()
    await expect(checkout.payButton).toHaveText('Pay €24.00')
    await page.waitForTimeout(500)
    await expect(checkout.alert).toContainText('We cannot reach the payment server', {
      timeout: 100,
    })
    await page.unroute('**/sandbox/tokens')
    await checkout.payToReceipt()
    // The announcement is cleared, too.
    await expect(page.getByRole('status')).toBeEmpty()
  },
)
