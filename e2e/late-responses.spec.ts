import type { Page, Route } from '@playwright/test'
import { CARDS, expect, test } from './fixtures.ts'

/** Responses that arrive late or out of order. */

/** Holds the next `times` requests to a URL until `release` is called. */
async function hold(
  page: Page,
  url: string | RegExp,
  options: { times?: number } = {},
): Promise<{ requested: Promise<void>; release: () => void }> {
  let release = () => {}
  let markRequested = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const requested = new Promise<void>((resolve) => (markRequested = resolve))
  const wait = async (route: Route) => {
    markRequested()
    await held
    await route.continue()
  }
  await page.route(url, wait, options)
  return { requested, release }
}

test('a submit pays only the amount that the button showed', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '24.00' })
  const session = await hold(page, '**/checkouts')
  await page.goto(link.url)
  await checkout.fillCard(CARDS.approve)
  await expect(checkout.payButton).toHaveText('Pay €24.00')
  await checkout.payButton.click()
  await merchant.changeLink(link.id, { options: { amount: '30.00' } })
  session.release()
  await expect(checkout.alert).toContainText('€30.00')
  await expect(checkout.payButton).toHaveText('Pay €30.00')
  expect((await merchant.readLink(link.id)).payment).toBeNull()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id, 'payment')).payment.amount).toBe('30.00')
})

test('the language chosen last wins', async ({ merchant, page }) => {
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

test('a language change during a payment does not replace its session', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.fillCard(CARDS.approve)
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
})

test('a late poll does not replace the form of a payer who chose another way', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/sandbox/)
  await page.goto(link.url)
  const other = page.getByRole('button', { name: /another way/ })
  await expect(other).toBeVisible()
  const look = await hold(page, /\/current(\?|$)/)
  await look.requested
  await other.click()
  await expect(checkout.cardNumber).toBeVisible()
  const responded = page.waitForResponse(/\/current(\?|$)/)
  look.release()
  await responded
  await page.waitForTimeout(500)
  await expect(checkout.cardNumber).toBeVisible({ timeout: 100 })
})

test('a card that could not be tokenized shows a notice until it can be', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await page.route('**/sandbox/tokens', (route) => route.abort())
  await checkout.pay(CARDS.approve)
  await expect(checkout.payButton).toHaveText('Pay €24.00')
  await page.waitForTimeout(500)
  await expect(checkout.alert).toContainText('We cannot reach the payment server', { timeout: 100 })
  await page.unroute('**/sandbox/tokens')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  // The announcement is cleared, too.
  await expect(page.getByRole('status')).toBeEmpty()
})

test('the same number of errors is announced again', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.payButton.click()
  const status = page.getByRole('status')
  await expect(status).not.toBeEmpty()
  // It must observe before the second click, so the result is an object instead of a promise.
  const change = await status.evaluateHandle((region) => ({
    seen: new Promise<void>((resolve) => {
      const watch = () => resolve()
      new MutationObserver(watch).observe(region, { childList: true, subtree: true })
    }),
  }))
  await checkout.payButton.click()
  await change.evaluate(({ seen }) => seen)
  await expect(status).not.toBeEmpty()
})

test('the security code is cleared when a pending payment fails', async ({
  checkout,
  merchant,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.pendingFailure)
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await expect(checkout.cardNumber).toBeVisible()
  await expect(checkout.securityCode).toHaveValue('')
})

test('a payer who empties a default reference pays without one', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00', default_alt_key: 'INV-1' })
  await checkout.open(link.url)
  await page.getByLabel('Reference').fill('')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id, 'payment')).payment.alt_key).toBeNull()
})
