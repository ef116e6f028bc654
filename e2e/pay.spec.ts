import { CARDS, expect, expectAccessible, test } from './fixtures.ts'

/** The journey from link to receipt, with declines, challenges and lost responses. */

test('a payer opens a link, pays by card and gets a receipt', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    currency: 'EUR',
    name: 'Two bags of coffee',
    description: 'Espresso roast',
    alt_key: 'order-1001',
  })
  await checkout.open(link.url)
  await expect(page.getByText('Two bags of coffee')).toBeVisible()
  await expect(page.getByText('Espresso roast')).toBeVisible()
  await expect(page.getByText('order-1001')).toBeVisible()
  await expect(checkout.payButton).toHaveText(/Pay €24\.00/)
  await expectAccessible(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()
  await expectAccessible(page)
  const paid = await merchant.readLink(link.id, 'payment')
  expect([paid.status, paid.payment.amount]).toEqual(['PAYMENT_SUCCESS', '24.00'])
  await expect(page.getByText(paid.payment.reference)).toBeVisible()
})

test('opening a paid link shows its receipt, without the card', async ({
  checkout,
  merchant,
  page,
  context,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await page.reload()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const otherPage = await context.browser()?.newPage()
  await otherPage?.goto(link.url)
  await expect(otherPage!.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(await otherPage!.content()).not.toContain('4242')
  await otherPage!.close()
})

test('the page sets no cookie and sends requests only to its own server', async ({
  checkout,
  merchant,
  page,
  context,
  baseURL,
}) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await context.cookies()).toEqual([])
  expect([...origins].filter((origin) => origin !== 'null')).toEqual([baseURL])
})

test('a declined card keeps the form and shows the reason, and another card pays', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await page.getByLabel('Email').fill('ada@example.com')
  await checkout.pay(CARDS.insufficient)
  await expect(checkout.alert).toContainText('There is not enough money')
  await expectAccessible(page)
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await expect(checkout.securityCode).toHaveValue('')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(2)
})

test('missing fields show their error, and the first one gets the focus', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.payButton.click()
  await expect(checkout.cardNumber).toBeFocused()
  await expect(checkout.cardNumber).toHaveAccessibleDescription(/Enter the card number/)
  await expect(checkout.expiry).toHaveAccessibleDescription(/Enter the expiry date/)
  await expectAccessible(page)
  expect((await merchant.readLink(link.id)).attempts).toBe(0)
})

test('a double click on Pay and a double Enter pay once', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.fillCard(CARDS.approve)
  await checkout.payButton.dblclick()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a pending payment shows its status and then the receipt without a reload', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.pendingSuccess)
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await expectAccessible(page)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a pending payment that fails shows the form again', async ({ checkout, merchant }) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.pendingFailure)
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await expect(checkout.alert).toContainText('declined')
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a bank challenge that is approved returns the payer to the receipt', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/\/sandbox\/challenges\//)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(link.id))
})

test('a bank challenge that is declined returns the payer to the form with the reason', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.challenge)
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(checkout.alert).toContainText('could not confirm that it was you')
  await expectAccessible(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('Back from the bank offers to continue there or to pay another way', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/\/sandbox\/challenges\//)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Continue to your bank' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pay another way' }).click()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('an unknown outcome blocks another payment until it is resolved', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.noAnswerTaken)
  await expect(checkout.heading('We are checking your payment')).toBeVisible()
  await expect(checkout.payButton).toBeHidden()
  await expectAccessible(page)
  await expect(checkout.heading('Payment complete')).toBeVisible({ timeout: 20_000 })
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('a lost response to a submit is recovered and pays once', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  let lost = 0
  await page.route('**/submit', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible({ timeout: 20_000 })
  expect(lost).toBe(1)
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})

test('changed terms are shown before anything is charged', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({ amount: '24.00' })
  await checkout.open(link.url)
  await merchant.changeLink(link.id, { options: { amount: '30.00' } })
  await checkout.pay(CARDS.approve)
  await expect(page.getByText('changed the amount to €30.00')).toBeVisible()
  await expect(checkout.payButton).toHaveText(/€30\.00/)
  await expectAccessible(page)
  expect((await merchant.readLink(link.id)).attempts).toBe(0)
  await checkout.securityCode.fill('123')
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a second window shows that the link is being paid, then the same receipt', async ({
  checkout,
  merchant,
  page,
  context,
}) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  const second = await context.newPage()
  await second.goto(link.url)
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/\/sandbox\/challenges\//)
  const third = await context.newPage()
  await third.goto(link.url)
  await expect(third.getByRole('heading', { name: 'Being paid in another window' })).toBeVisible()
  await expectAccessible(third)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect(third.getByRole('heading', { name: 'Payment complete' })).toBeVisible({
    timeout: 20_000,
  })
})

test('a link that cannot be paid shows the reason and no link to the merchant', async ({
  checkout,
  merchant,
  page,
  baseURL,
}) => {
  const archived = await merchant.createLink()
  await merchant.archiveLink(archived.id)
  const expired = await merchant.createLink(
    { amount: '1.00' },
    { expires: new Date(Date.now() + 1500).toISOString() },
  )
  await expect(async () =>
    expect((await merchant.readLink(expired.id)).status).toBe('EXPIRED'),
  ).toPass()
  for (const [url, status, title] of [
    [archived.url, 410, 'This payment link is not available'],
    [`${baseURL}/pay/pl_unknown_link`, 404, 'This payment link is not available'],
    [expired.url, 410, 'This link has expired'],
  ] as const) {
    const response = await page.goto(url)
    expect(response?.status()).toBe(status)
    await expect(checkout.heading(title)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
    await expectAccessible(page)
  }
})

test('a link that expires while its page is open accepts no payment', async ({
  checkout,
  merchant,
}) => {
  const link = await merchant.createLink(
    { amount: '1.00' },
    { expires: new Date(Date.now() + 8000).toISOString() },
  )
  await checkout.open(link.url)
  await checkout.fillCard(CARDS.approve)
  await expect(async () =>
    expect((await merchant.readLink(link.id)).status).toBe('EXPIRED'),
  ).toPass()
  if (await checkout.payButton.isVisible()) await checkout.payButton.click().catch(() => {})
  await expect(checkout.heading('This link has expired')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(0)
})

test('the pay button shows an amount that the payer chooses', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({
    currency: 'JPY',
    default_amount: '500',
    allow_description: true,
  })
  await checkout.open(link.url)
  await expect(checkout.payButton).toHaveText(/¥500/)
  await page.getByLabel('Amount').fill('1,500')
  await expect(page.getByText('You will pay ¥1,500.')).toBeVisible()
  await expect(checkout.payButton).toHaveText(/¥1,500/)
  await page.getByLabel('Comment').fill('For Ada')
  await expectAccessible(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id, 'payment')).payment).toMatchObject({
    amount: '1500',
    description: 'For Ada',
  })
})

test('a payer can pay with the keyboard alone', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink({ amount: '5.00' })
  await checkout.open(link.url)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))
  for (let i = 0; i < 20 && (await focused()) !== 'cc-number'; i += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.type(CARDS.approve)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1234')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('direct debit and bank transfer pay', async ({ checkout, merchant, page }) => {
  const debit = await merchant.createLink()
  await checkout.open(debit.url)
  await page.getByRole('radio', { name: 'Direct debit' }).check()
  await expectAccessible(page)
  await page.getByLabel('IBAN').fill('GB35 SAND 0000 0000 0000 77')
  await page.getByLabel('Account holder').fill('Ada Lovelace')
  await checkout.payButton.click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const bank = await merchant.createLink()
  await checkout.open(bank.url)
  await page.getByRole('radio', { name: 'Pay by bank' }).check()
  await checkout.payButton.click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('without JavaScript the page is readable and asks for JavaScript', async ({
  browser,
  merchant,
}) => {
  const link = await merchant.createLink({ amount: '24.00', name: 'Two bags of coffee' })
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(link.url)
  await expect(page.getByText('Two bags of coffee')).toBeVisible()
  await expect(page.locator('noscript p')).toContainText('Paying needs JavaScript')
  await expect(page.locator('noscript p')).toBeVisible()
  await context.close()
})

test('the page shows a notice when its script does not load', async ({ merchant, page }) => {
  const link = await merchant.createLink()
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto(link.url)
  await expect(page.getByText('This page is taking long to load')).toBeVisible({ timeout: 20_000 })
})

test('a payment succeeds in a browser that blocks storage', async ({
  checkout,
  merchant,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
  })
  const link = await merchant.createLink()
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('a reload keeps the session', async ({ checkout, merchant, page }) => {
  const link = await merchant.createLink()
  await checkout.open(link.url)
  const resumed = page.waitForResponse((response) => /\/current(\?|$)/.test(response.url()))
  await page.reload()
  expect((await resumed).status()).toBe(200)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('Back after a payment shows the receipt and never pays again', async ({
  checkout,
  merchant,
  page,
  shop,
}) => {
  const link = await merchant.createLink({
    amount: '24.00',
    success_url: `${shop}/ok`,
  })
  await checkout.open(link.url)
  await checkout.pay(CARDS.approve)
  await page.getByRole('link', { name: /Return to/ }).click()
  await page.waitForURL(new RegExp(shop))
  await page.goBack()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(link.id)).attempts).toBe(1)
})
