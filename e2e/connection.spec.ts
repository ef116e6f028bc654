import type { Page } from '@playwright/test'
import { CARDS, expect, test } from './fixtures.ts'

/** Lost, slow and repeated requests before, during and after a payment. */

const OFFLINE = 'We cannot reach the payment server'

/** The members of a layout shift entry that TypeScript's DOM types lack. */
interface Shift {
  value: number
}

/** Expects no string id in place of a missing text. */
async function expectWorded(page: Page): Promise<void> {
  const ids = /\b(a11y|card|checkout|consent|details|errors|methods|receipt|status)\.[a-z_]+\b/
  expect(await page.locator('body').innerText()).not.toMatch(ids)
}

test('a payer who starts offline sees a notice and can pay once online', async ({
  checkout,
  context,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ default_amount: '5.00' })
  await page.route('**/checkouts', (route) => route.abort())
  await page.goto(link.url)
  await expect(checkout.alert).toContainText(OFFLINE)
  await page.getByRole('radio', { name: 'Direct debit' }).check()
  await expect(page.getByLabel('IBAN')).toBeVisible()
  await checkout.payButton.click()
  await expect(checkout.alert).toContainText(OFFLINE)
  await expectWorded(page)
  await page.getByRole('radio', { name: 'Card' }).check()
  await context.setOffline(true)
  await checkout.pay(CARDS.approve)
  await expect(checkout.alert).toContainText(OFFLINE)
  await expect(checkout.payButton).toHaveText('Pay €5.00')
  await expect(checkout.cardNumber).toHaveValue('4242 4242 4242 4242')
  await expectWorded(page)
  await page.unroute('**/checkouts')
  await context.setOffline(false)
  await expect(checkout.alert).toBeEmpty()
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a pending receipt shows that it is offline and resumes once online', async ({
  checkout,
  context,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  const strings = page.waitForResponse(/\/checkouts\/current(\?|$)/)
  await checkout.fillCard(CARDS.pendingSuccess)
  await strings
  // Prevents a poll that completes the payment before the connection is lost.
  await page.route(/\/checkouts\/current(\?|$)/, (route) => route.abort())
  await checkout.payButton.click()
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You seem to be offline')).toBeVisible()
  await page.unroute(/\/checkouts\/current(\?|$)/)
  await context.setOffline(false)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect(page.getByText('You seem to be offline')).toHaveCount(0)
})

test('a lost session request is retried', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  let lost = 0
  await page.route('**/checkouts', (route) => {
    lost += 1
    return lost <= 2 ? route.abort('connectionreset') : route.continue()
  })
  await page.goto(link.url)
  await expect(checkout.alert).toContainText(OFFLINE)
  await expect(checkout.alert).toBeEmpty()
  expect(lost).toBe(3)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a submit before the session is open pays once it is open', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/checkouts', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.payButton).toHaveText('Paying €24.00')
  release()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await merchant.listCheckouts(link.id)).toHaveLength(1)
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a duplicated session request pays once', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  await page.route('**/checkouts', async (route) => {
    await route.fetch()
    await route.continue()
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await merchant.listCheckouts(link.id)).toHaveLength(2)
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a slow connection on a slow phone pays with few requests', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await network.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const requestUrls: string[] = []
  page.on('request', (request) => requestUrls.push(request.url()))
  await checkout.open(link.url)
  expect(requestUrls.filter((url) => url.startsWith('http'))).toHaveLength(3)
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & Shift).value
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum)))
      }),
  )
  expect(shift).toBe(0)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a page restored from the back/forward cache shows the current state', async ({
  checkout,
  context,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  const other = await context.newPage()
  await other.goto(link.url)
  await other.getByLabel('Card number').fill(CARDS.approve)
  await other.getByLabel('Expiry date').fill('1234')
  await other.getByLabel('Security code').fill('123')
  await other.getByRole('button', { name: /^Pay/ }).click()
  await expect(other.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  await expect(checkout.payButton).toBeVisible()
  // The event of the back/forward cache, which test browsers do not use.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a page that outlives its session continues in a new one and shows a notice', async ({
  checkout,
  merchant,
  page,
}) => {
  await page.clock.install()
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await page.getByLabel('Email').fill('ada@example.com')
  await checkout.fillCard(CARDS.approve)
  const renewed = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
  await page.clock.fastForward('01:00:01')
  await renewed
  await expect(checkout.alert).toContainText('This page was open for a long time')
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await expect(checkout.securityCode).toHaveValue('')
  await checkout.securityCode.fill('123')
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await merchant.listCheckouts(link.id)).toHaveLength(2)
})

test('the redirect screen has a link for browsers that block redirects', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
    skip_receipt: true,
  })
  await checkout.open(link.url)
  await page.route('**/return', (route) => route.fulfill({ status: 204 }))
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading(/^Taking you back to/)).toBeFocused()
  await page.unroute('**/return')
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(new RegExp(`^${shop}/ok\\?payment_link=.+&status=COMPLETED`))
})
