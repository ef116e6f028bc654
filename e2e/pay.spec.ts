import { CARD_DIGITS, CARDS, expect, expectAccessible, OWN_CONTEXT } from './fixtures.ts'
import { test } from './test.ts'
import { hold } from './network.ts'

/** The journey from link to receipt, with declines, challenges and lost responses. */

test('a payer pays by card and gets a receipt, which the link shows again without the card', async ({
  baseURL,
  browser,
  checkout,
  context,
  openLink,
  page,
}) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  const link = await openLink({
    amount: '24.00',
    currency: 'EUR',
    name: 'Two bags of coffee',
    description: 'Espresso roast',
    alt_key: 'order-1001',
  })
  await expect(page.getByText('Two bags of coffee')).toBeVisible()
  await expect(page.getByText('Espresso roast')).toBeVisible()
  await expect(page.getByText('order-1001')).toBeVisible()
  await expect(checkout.payButton).toHaveText(/Pay €24\.00/)
  await expectAccessible(page)
  await checkout.payToReceipt()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()
  await expectAccessible(page, 'dark')
  const paid = await link.read('payment')
  expect([paid.status, paid.payment.amount]).toEqual(['PAYMENT_SUCCESS', '24.00'])
  await page.reload()
  const other = await browser.newPage()
  await other.goto(link.url)
  for (const receipt of [page, other]) {
    await expect(receipt.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    const facts = receipt.locator('.properties')
    await expect(facts).toContainText('Payment forTwo bags of coffee')
    await expect(facts).toContainText('Referenceorder-1001')
    await expect(facts).toContainText(`Payment reference${paid.payment.reference}`)
  }
  expect(await other.content()).not.toMatch(CARD_DIGITS)
  await other.close()
  expect(await context.cookies()).toEqual([])
  expect([...origins].filter((origin) => origin !== 'null')).toEqual([baseURL])
})

test('missing fields and a declined card show the reason and keep the form, and another card pays', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink()
  await page.getByLabel('Email').fill('ada@example.com')
  await checkout.payButton.click()
  await expect(checkout.cardNumber).toBeFocused()
  await expect(checkout.cardNumber).toHaveAccessibleDescription(/Enter the card number/)
  await expect(page.getByLabel('Expiry date')).toHaveAccessibleDescription(/Enter the expiry date/)
  await expectAccessible(page)
  expect((await link.read()).attempts).toBe(0)
  await checkout.pay(CARDS.insufficient)
  await expect(checkout.alert).toContainText('There is not enough money')
  await expectAccessible(page, 'dark')
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await expect(checkout.securityCode).toHaveValue('')
  await checkout.payToReceipt()
  expect((await link.read()).attempts).toBe(2)
})

test('a double click on Pay and a double Enter pay once', async ({ checkout, openLink, page }) => {
  const link = await openLink()
  await checkout.fillCard()
  await checkout.payButton.dblclick()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(checkout.receipt).toBeVisible()
  expect((await link.read()).attempts).toBe(1)
})

test('a pending payment shows its status and then the receipt without a reload', async ({
  checkout,
  openLink,
  page,
}) => {
  await openLink({ amount: '5.00', page_pending_message: 'We will write to you.' })
  await checkout.pay(CARDS.pendingSuccess)
  await expect(checkout.heading('Payment on its way')).toBeVisible()
  await expect(page.getByText('We will write to you.')).toBeVisible()
  await expectAccessible(page)
  await expect(checkout.receipt).toBeVisible()
})

test(
  'a pending payment that fails shows the form again, without the security code',
  { tag: '@deep' },
  async ({ checkout, openLink }) => {
    await openLink()
    await checkout.pay(CARDS.pendingFailure)
    await expect(checkout.heading('Payment on its way')).toBeVisible()
    await expect(checkout.alert).toContainText('declined')
    await expect(checkout.securityCode).toHaveValue('')
    await checkout.payToReceipt()
  },
)

test('a declined bank challenge returns the payer to the form, an approved one to the receipt', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink()
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/\/sandbox\/challenges\//)
  await expectAccessible(page)
  await checkout.answerBank('Decline')
  await expect(checkout.alert).toContainText('could not confirm that it was you')
  await expectAccessible(page, 'dark')
  await checkout.pay(CARDS.challenge)
  await checkout.answerBank('Approve')
  await expect(checkout.receipt).toBeVisible()
  await expect(page).toHaveURL(new RegExp(link.id))
})

test(
  'Back from the bank offers to continue there or to pay another way, also after a late poll',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await checkout.pay(CARDS.challenge)
    await page.waitForURL(/\/sandbox\/challenges\//)
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Continue to your bank' })).toBeVisible()
    await expectAccessible(page)
    const poll = await hold(page, /\/current(\?|$)/)
    await poll.requested
    await page.getByRole('button', { name: 'Pay another way' }).click()
    await expect(checkout.cardNumber).toBeVisible()
    const responded = page.waitForResponse(/\/current(\?|$)/)
    poll.release()
    await responded
    await page.waitForTimeout(500)
    await expect(checkout.cardNumber).toBeVisible({ timeout: 100 })
    await checkout.payToReceipt()
  },
)

test('an unknown outcome blocks another payment until it is resolved', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink()
  await checkout.pay(CARDS.noAnswerTaken)
  await expect(checkout.heading('We are checking your payment')).toBeVisible()
  await expect(checkout.payButton).toBeHidden()
  await expectAccessible(page)
  await expect(checkout.receipt).toBeVisible()
  expect((await link.read()).attempts).toBe(1)
})

test('a lost response to a submit is recovered and pays once', async ({
  checkout,
  openLink,
  page,
}) => {
  const link = await openLink()
  let lost = 0
  await page.route('**/submit', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await checkout.payToReceipt()
  expect(lost).toBe(1)
  expect((await link.read()).attempts).toBe(1)
})

test(
  'changed terms are shown before anything is charged',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink()
    await link.change({ options: { amount: '30.00' } })
    await checkout.pay()
    await expect(page.getByText('amount has changed to €30.00')).toBeVisible()
    await expect(checkout.payButton).toHaveText(/€30\.00/)
    await expectAccessible(page)
    expect((await link.read()).attempts).toBe(0)
    await checkout.securityCode.fill('123')
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
  },
)

test('a second window shows that the link is being paid, then the same receipt', async ({
  checkout,
  context,
  openLink,
  page,
}) => {
  const link = await openLink()
  await (await context.newPage()).goto(link.url)
  await checkout.pay(CARDS.challenge)
  await page.waitForURL(/\/sandbox\/challenges\//)
  const third = await context.newPage()
  await third.goto(link.url)
  await expect(third.getByRole('heading', { name: 'Being paid in another window' })).toBeVisible()
  await expectAccessible(third)
  await checkout.answerBank('Approve')
  await expect(checkout.receipt).toBeVisible()
  await expect(third.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

const inMs = (ms: number) => ({ expires: new Date(Date.now() + ms).toISOString() })

test(
  'a link that cannot be paid shows the reason and no link to the merchant',
  { tag: '@deep' },
  async ({ baseURL, checkout, merchant, page }) => {
    const archived = await merchant.createLink()
    await archived.archive()
    const expired = await merchant.createLink({ amount: '1.00' }, inMs(1500))
    await expect.poll(async () => (await expired.read()).status).toBe('EXPIRED')
    for (const [url, status, title, scheme] of [
      [archived.url, 410, 'This payment link is not available', 'light'],
      [`${baseURL}/pay/pl_unknown_link`, 404, 'This payment link is not available', 'dark'],
      [expired.url, 410, 'This link has expired', 'light'],
    ] as const) {
      const response = await page.goto(url)
      expect(response?.status()).toBe(status)
      await expect(checkout.heading(title)).toBeVisible()
      await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
      await expectAccessible(page, scheme)
    }
  },
)

test(
  'a link that expires while its page is open accepts no payment',
  { tag: '@deep' },
  async ({ checkout, openLink }) => {
    const link = await openLink({ amount: '1.00' }, inMs(8000))
    await checkout.fillCard()
    await expect.poll(async () => (await link.read()).status).toBe('EXPIRED')
    if (await checkout.payButton.isVisible()) await checkout.payButton.click().catch(() => {})
    await expect(checkout.heading('This link has expired')).toBeVisible()
    expect((await link.read()).attempts).toBe(0)
  },
)

test(
  'the pay button shows an amount that the payer chooses',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const link = await openLink({ currency: 'JPY', default_amount: '500', allow_description: true })
    await expect(checkout.payButton).toHaveText(/¥500/)
    await page.getByLabel('Amount').fill('1,500')
    await expect(page.getByText('You will pay ¥1,500.')).toBeVisible()
    await expect(checkout.payButton).toHaveText(/¥1,500/)
    await page.getByLabel('Comment').fill('For Ada')
    await expectAccessible(page, 'dark')
    await checkout.payToReceipt()
    expect((await link.read('payment')).payment).toMatchObject({
      amount: '1500',
      description: 'For Ada',
    })
  },
)

test(
  'direct debit, which must be stored, and bank transfer pay',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await page.getByRole('radio', { name: 'Direct debit' }).check()
    const save = page.getByRole('checkbox', { name: /Save for future payments/ })
    await expect(save).toBeChecked()
    await expect(save).toBeDisabled()
    await expectAccessible(page)
    await page.getByLabel('IBAN').fill('GB35 SAND 0000 0000 0000 77')
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await checkout.payButton.click()
    await expect(checkout.receipt).toBeVisible()
    await openLink()
    await page.getByRole('radio', { name: 'Pay by bank' }).check()
    await checkout.payButton.click()
    await checkout.answerBank('Approve')
    await expect(checkout.receipt).toBeVisible()
  },
)

test.describe('without JavaScript', { tag: OWN_CONTEXT }, () => {
  test.use({ javaScriptEnabled: false })
  test(
    'the page is readable and asks for JavaScript',
    { tag: '@deep' },
    async ({ merchant, page }) => {
      const link = await merchant.createLink({ amount: '24.00', name: 'Two bags of coffee' })
      await page.goto(link.url)
      await expect(page.getByText('Two bags of coffee')).toBeVisible()
      await expect(page.locator('noscript p')).toContainText('Paying needs JavaScript')
      await expect(page.locator('noscript p')).toBeVisible()
    },
  )
})

test('the page shows a notice when its script does not load', async ({ merchant, page }) => {
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto((await merchant.createLink()).url)
  const notice = page.getByText('This page is taking long to load')
  await expect(notice).toBeHidden()
  // Its delay is an animation.
  await page.evaluate(() => document.getAnimations().forEach((delay) => delay.finish()))
  await expect(notice).toBeVisible()
})

test(
  'a payment succeeds in a browser that blocks storage',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    })
    await openLink()
    await checkout.payToReceipt()
  },
)

test('the browser draws the form before the script brings it to life', async ({
  checkout,
  merchant,
  page,
}) => {
  await page.addInitScript(() => {
    const real = globalThis.requestAnimationFrame
    const waiting: FrameRequestCallback[] = []
    globalThis.requestAnimationFrame = (callback) => waiting.push(callback)
    Object.assign(globalThis, {
      draw() {
        globalThis.requestAnimationFrame = real
        for (const callback of waiting) real(callback)
      },
    })
  })
  const link = await merchant.createLink()
  await page.goto(link.url, { waitUntil: 'load' })
  const dead = page.locator('.delayed')
  await expect(page.getByLabel('Card number')).toBeVisible()
  await expect(dead).toHaveCount(1)
  await page.evaluate('draw()')
  await expect(dead).toHaveCount(0)
  await checkout.payToReceipt()
})
