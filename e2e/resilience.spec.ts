import { expect, OWN_CONTEXT } from './fixtures.ts'
import { test } from './test.ts'
import { hold, lose } from './network.ts'

/** Failures of the network and the browser never pay twice. */

test(
  'a chunk that fails to load is fetched again',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink()
    const requests = await lose(page, '**/assets/pay-*.js')
    await checkout.fillCard()
    await expect.poll(requests).toBeGreaterThan(1)
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    expect((await link.read()).attempts).toBe(1)
  },
)

test(
  'a slow submit is awaited and shows a notice',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ checkout, openLink, page }) => {
    await page.clock.install()
    const link = await openLink()
    const submit = await hold(page, '**/submit')
    await checkout.pay()
    await submit.requested
    await expect(page.locator('.pay .hint')).toBeHidden()
    await page.clock.runFor(9_000)
    await expect(page.locator('.pay .hint')).toBeVisible()
    submit.release()
    await expect(checkout.receipt).toBeVisible()
    expect((await link.read()).attempts).toBe(1)
  },
)

test('a duplicated session request and a duplicated submit pay once', async ({
  checkout,
  openLink,
  page,
}) => {
  await page.route('**/checkouts', async (route) => {
    await route.fetch()
    await route.continue()
  })
  await page.route('**/submit', async (route) => {
    await Promise.all([route.fetch(), route.fetch()])
    await route.continue()
  })
  const link = await openLink()
  await checkout.payToReceipt()
  expect(await link.checkouts()).toHaveLength(2)
  expect((await link.read()).attempts).toBe(1)
})

test('a reload during a submit ends on the receipt and pays once', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink()
  await page.route('**/submit', async (route) => {
    await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue().catch(() => {})
  })
  await checkout.pay()
  await expect.poll(async () => (await link.read()).status).toBe('PAYMENT_SUCCESS')
  await page.reload()
  await expect(checkout.receipt).toBeVisible()
  expect((await link.read()).attempts).toBe(1)
})

test(
  'a payer whose clock is far ahead can pay',
  { tag: ['@deep', OWN_CONTEXT] },
  async ({ checkout, openLink, page }) => {
    // By then the card would have expired.
    await page.clock.setFixedTime(new Date('2040-01-01T12:00:00Z'))
    await openLink()
    await checkout.payToReceipt()
  },
)
