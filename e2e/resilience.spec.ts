import { CARDS, expect, expectAccessible, test } from './fixtures.ts'

/** Failures of the network and the browser never pay twice. */

test('a chunk that fails to load is fetched again', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  let lost = 0
  await page.route('**/assets/pay-*.js', (route) => {
    lost += 1
    return lost === 1 ? route.abort() : route.continue()
  })
  await checkout.fillCard(CARDS.approve)
  await expect(async () => expect(lost).toBeGreaterThan(1)).toPass()
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a slow submit is awaited and shows a notice', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await page.route('**/submit', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 9_000))
    await route.continue()
  })
  await checkout.pay(CARDS.approve)
  await expect(page.locator('.pay .hint')).toBeVisible({ timeout: 15_000 })
  await expect(checkout.heading('Payment complete')).toBeVisible({ timeout: 20_000 })
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a duplicated submit pays once', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await page.route('**/submit', async (route) => {
    await Promise.all([route.fetch(), route.fetch()])
    await route.continue()
  })
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible({ timeout: 20_000 })
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a reload during a submit ends on the receipt and pays once', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await page.route('**/submit', async (route) => {
    await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue().catch(() => {})
  })
  await checkout.fillCard(CARDS.approve)
  await checkout.payButton.click()
  await expect(async () =>
    expect((await merchant.readLink(link.id)).status).toBe('PAYMENT_SUCCESS'),
  ).toPass()
  await page.reload()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a payer whose clock is far ahead can pay', async ({ checkout, merchant, page }) => {
  // By then the card would have expired.
  await page.clock.setFixedTime(new Date('2040-01-01T12:00:00Z'))
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('at 320 pixels nothing is cut off or scrolls horizontally', async ({
  checkout,
  merchant,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  const link = await merchant.createLink({ default_amount: '5.00', allow_description: true })
  await checkout.open(link.url)
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await wider()).toBe(0)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await wider()).toBe(0)
})

test('a card saved earlier can pay and cannot be removed with the link alone', async ({
  checkout,
  merchant,
  page,
}) => {
  const first = await merchant.createLink({
    amount: '5.00',
    save_card: true,
    account: { email: 'ada@example.com' },
  })
  await checkout.open(first.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const { account, payment_method } = await merchant.readLink(first.id)
  expect(payment_method).toMatch(/^pm_/)
  const second = await merchant.createLink({ amount: '6.00', account })
  await checkout.open(second.url)
  await expect(page.getByRole('radio', { name: /ending in 4242/ })).toBeChecked()
  await checkout.securityCode.click()
  await page.keyboard.type('123')
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0)
})

test('a card can be removed only on the receipt of the payment that saved it', async ({
  browser,
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '5.00',
    save_card: true,
    account: { email: 'ada@example.com' },
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  const savedNotice = page.getByText('has saved this payment method.')
  await expect(savedNotice).toBeVisible()

  // Another session of the same link does not show the method.
  const other = await browser.newContext()
  const otherPage = await other.newPage()
  await otherPage.goto(link.url)
  await expect(otherPage.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  await expect(otherPage.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(otherPage.getByRole('button', { name: 'Remove' })).toHaveCount(0)
  await other.close()

  await page.reload()
  await expect(savedNotice).toBeVisible()
  await expectAccessible(page)
  const remove = page.getByRole('button', { name: 'Remove' })
  await remove.focus()
  await page.keyboard.press('Enter')
  const question = page.getByText('Remove this payment method for good?')
  await expect(question).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
  await expect(savedNotice).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(question).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('The payment method was removed.')
  await expect(page.getByRole('group', { name: 'Payment method' })).toBeFocused()
  await expect(remove).toHaveCount(0)
  await expectAccessible(page)
  const { payment_method } = await merchant.readLink(link.id, 'payment_method')
  expect(payment_method.status).toBe('REMOVED')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(remove).toHaveCount(0)
})

test('a failed removal shows an error and can be retried', async ({ checkout, merchant, page }) => {
  const account = { email: 'ada@example.com' }
  const link = await merchant.createLink({ amount: '5.00', save_card: true, account })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  let lost = 0
  await page.route('**/payment_methods/*', (route) => {
    lost += 1
    return lost === 1 ? route.abort() : route.continue()
  })
  const remove = page.getByRole('button', { name: 'Remove' })
  await remove.click()
  await remove.click()
  await expect(page.getByRole('status')).toContainText('The payment method was not removed.')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('The payment method was removed.')
})
