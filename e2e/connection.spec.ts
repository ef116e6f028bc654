import type { Page } from '@playwright/test'
import { CARDS, expect, OWN_CONTEXT } from './fixtures.ts'
import { test } from './test.ts'
import { hold, lose } from './network.ts'
import { CheckoutPage } from './pages/checkout.ts'

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

test(
  'a payer who starts offline sees a notice and can pay once online',
  { tag: '@deep' },
  async ({ checkout, context, merchant, page }) => {
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
    await checkout.pay()
    await expect(checkout.alert).toContainText(OFFLINE)
    await expect(checkout.payButton).toHaveText('Pay €5.00')
    await expect(checkout.cardNumber).toHaveValue('4242 4242 4242 4242')
    await expectWorded(page)
    await page.unroute('**/checkouts')
    await context.setOffline(false)
    await expect(checkout.alert).toBeEmpty()
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    expect((await link.read()).attempts).toBe(1)
  },
)

test(
  'a pending receipt shows that it is offline and resumes once online',
  { tag: '@deep' },
  async ({ checkout, context, openLink, page }) => {
    await openLink()
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
    await expect(checkout.receipt).toBeVisible()
    await expect(page.getByText('You seem to be offline')).toHaveCount(0)
  },
)

test('a lost session request is retried', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  const requests = await lose(page, '**/checkouts', 2)
  await page.goto(link.url)
  await expect(checkout.alert).toContainText(OFFLINE)
  await expect(checkout.alert).toBeEmpty()
  expect(requests()).toBe(3)
  await checkout.payToReceipt()
})

test('a submit before the session is open pays once it is open', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const session = await hold(page, '**/checkouts')
  await page.goto(link.url)
  await checkout.pay()
  await expect(checkout.payButton).toHaveText('Paying €24.00')
  session.release()
  await expect(checkout.receipt).toBeVisible()
  expect(await link.checkouts()).toHaveLength(1)
  expect((await link.read()).attempts).toBe(1)
})

test(
  'a slow connection on a slow phone pays with few requests',
  { tag: [OWN_CONTEXT, '@deep'] },
  async ({ checkout, merchant, page }) => {
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
    await checkout.payToReceipt()
  },
)

test('a page restored from the back/forward cache shows the current state', async ({
  checkout,
  context,
  openLink,
  page,
}) => {
  const link = await openLink()
  const other = await context.newPage()
  await other.goto(link.url)
  await new CheckoutPage(other).payToReceipt()
  await expect(checkout.payButton).toBeVisible()
  // The event of the back/forward cache, which test browsers do not use.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(checkout.receipt).toBeVisible()
  expect((await link.read()).attempts).toBe(1)
})

test(
  'a page that outlives its session continues in a new one and shows a notice',
  { tag: OWN_CONTEXT },
  async ({ checkout, openLink, page }) => {
    await page.clock.install()
    const link = await openLink()
    await page.getByLabel('Email').fill('ada@example.com')
    await checkout.fillCard()
    const renewed = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
    await page.clock.fastForward('01:00:01')
    await renewed
    await expect(checkout.alert).toContainText('This page was open for a long time')
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
    await expect(checkout.securityCode).toHaveValue('')
    await checkout.securityCode.fill('123')
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    expect(await link.checkouts()).toHaveLength(2)
  },
)
