import { CARDS, expect, type Link } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { recordedEvents, lastDetail, shopPage } from './pages/shop.ts'
import { test } from './shop-fixtures.ts'

/** An inline checkout in a merchant's page on another site. */

test.describe.configure({ timeout: 60_000 })

const inline = (link: Link) =>
  `<div data-checkstand-link="${link.id}"><a href="${link.url}">Pay online</a></div>`

test('a payer pays in an embedded checkout with third-party cookies and storage blocked', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeVisible()
  await expect(page.getByText('Pay online')).toBeHidden()
  expect(await checkout.storageIsBlocked()).toBe(true)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  const paid = await merchant.readLink(link.id)
  expect(paid.status).toBe('PAYMENT_SUCCESS')
  await expect
    .poll(() => lastDetail(page, 'complete'))
    .toEqual({
      payment_link: link.id,
      status: 'COMPLETED',
      transaction: paid.transaction,
    })
  expect(await page.context().cookies()).toEqual([])
  expect(origins.size).toBe(2)
})

test('the shop gets status events, and the merchant gets the embedding origin', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect
    .poll(async () => (await recordedEvents(page)).map(({ type }) => type))
    .toContain('complete')
  const statuses = (await recordedEvents(page)).map(({ type, detail }) => [type, detail.status])
  expect(statuses).toEqual([
    ['ready', undefined],
    ['status', 'OPEN'],
    ['status', 'SUBMITTED'],
    ['status', 'COMPLETED'],
    ['complete', 'COMPLETED'],
  ])
  const [session] = await merchant.listCheckouts(link.id)
  expect(session?.embedded_origin).toBe(front.origin)
})

test('the height of the frame follows its content', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await expect.poll(() => checkout.height()).toBeGreaterThan(700)
  const form = await checkout.height()
  expect(await checkout.scrolls()).toBe(false)
  await checkout.frame.getByText('Add phone and address').click()
  await expect.poll(() => checkout.height()).toBeGreaterThan(form + 100)
  expect(await checkout.scrolls()).toBe(false)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect.poll(() => checkout.height()).toBeLessThan(form)
})

test('a declined card scrolls the reason into view, and another card pays', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.insufficient)
  await expect(checkout.alert).toContainText('There is not enough money')
  await expect(checkout.alert).toBeInViewport()
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeInViewport()
})

test('skip_receipt redirects the window of the shop', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const thanks = front.page(shopPage('<h2>Thank you!</h2>'))
  const success_url = `${front.origin}${thanks}?a=b`
  const link = await merchant.createLink({ amount: '24.00', success_url, skip_receipt: true })
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  await new EmbeddedCheckout(page).pay(CARDS.approve)
  await expect(page.getByText('Thank you!')).toBeVisible()
  const { transaction } = await merchant.readLink(link.id)
  expect(page.url()).toBe(
    `${success_url}&payment_link=${link.id}&status=COMPLETED&transaction=${transaction}`,
  )
})

test('a shop that prevents the redirect shows the receipt with its link', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const thanks = front.page(shopPage('<h2>Thank you!</h2>'))
  const success_url = front.origin + thanks
  const link = await merchant.createLink({ amount: '24.00', success_url, skip_receipt: true })
  const prevent = `<script>addEventListener('checkstand:complete', (e) => e.preventDefault())</script>`
  await page.goto(front.origin + front.page(shopPage(prevent + embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  expect(await lastDetail(page, 'complete')).toMatchObject({
    redirect: expect.stringContaining(success_url),
  })
  await checkout.frame.getByRole('link', { name: /Return to/ }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
  expect(page.url()).toContain(`${success_url}?payment_link=${link.id}&status=COMPLETED`)
})

test('no file of the page is fetched twice', async ({ embedScript, front, merchant, page }) => {
  const assetUrls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) assetUrls.push(request.url())
  })
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  await new EmbeddedCheckout(page).pay(CARDS.approve)
  await expect(new EmbeddedCheckout(page).heading('Payment complete')).toBeVisible()
  expect(assetUrls.length).toBeGreaterThan(1)
  expect(assetUrls).toEqual([...new Set(assetUrls)])
})

test('a pending payment emits pending and then completed', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.pendingSuccess)
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await expect
    .poll(async () =>
      (await recordedEvents(page))
        .filter(({ type }) => type === 'complete')
        .map(({ detail }) => detail.status),
    )
    .toEqual(['PENDING', 'COMPLETED'])
})

test('an unavailable link is shown as unavailable in the shop', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await merchant.archiveLink(link.id)
  await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.heading('This payment link is not available')).toBeVisible()
  await expect.poll(() => lastDetail(page, 'error')).toEqual({ code: 'GONE' })
})

test('two checkouts of one page do not receive each other’s messages', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [first, second] = await Promise.all([merchant.createLink(), merchant.createLink()])
  const both = [first, second].map((link, n) => inline(link).replace('<div', `<div id="shop-${n}"`))
  await page.goto(front.origin + front.page(shopPage(embedScript + both.join(''))))
  const [one, two] = [new EmbeddedCheckout(page, 0), new EmbeddedCheckout(page, 1)]
  await expect(two.payButton).toBeVisible()
  // A frame out of view has its height, too.
  await expect.poll(() => two.height()).toBeGreaterThan(1000)
  await two.element.scrollIntoViewIfNeeded()
  await expect.poll(() => two.scrolls()).toBe(false)
  const height = await two.height()
  await one.pay(CARDS.approve)
  await expect(one.heading('Payment complete')).toBeVisible()
  await expect.poll(() => lastDetail(page, 'complete')).toBeDefined()
  const paid = (await recordedEvents(page)).filter(({ type }) => type === 'complete')
  expect(paid.map(({ at, detail }) => [at, detail.payment_link])).toEqual([['shop-0', first.id]])
  expect(await two.height()).toBe(height)
  await two.pay(CARDS.approve)
  await expect(two.heading('Payment complete')).toBeVisible()
  expect((await merchant.readLink(second.id)).status).toBe('PAYMENT_SUCCESS')
})
