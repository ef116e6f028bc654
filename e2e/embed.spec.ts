import { CARDS, expect, expectAccessible, OWN_CONTEXT } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { inline, lastDetail, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** An inline checkout in a merchant's page on another site. */

test(
  'a payer pays in an embedded checkout with third-party cookies and storage blocked',
  { tag: [OWN_CONTEXT, '@full-chromium'] },
  async ({ embed, framed, front, page }) => {
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    const link = await embed()
    await expect(framed.payButton).toBeVisible()
    await expect(page.getByText('Pay online')).toBeHidden()
    expect(await framed.storageIsBlocked()).toBe(true)
    await expectAccessible(page)
    await framed.payToReceipt()
    const paid = await link.read()
    expect(paid.status).toBe('PAYMENT_SUCCESS')
    await expect
      .poll(() => lastDetail(page, 'complete'))
      .toEqual({
        payment_link: link.id,
        status: 'COMPLETED',
        transaction: paid.transaction,
      })
    const statuses = (await recordedEvents(page)).map(({ type, detail }) => [type, detail.status])
    expect(statuses).toEqual([
      ['ready', undefined],
      ['status', 'OPEN'],
      ['status', 'SUBMITTED'],
      ['status', 'COMPLETED'],
      ['complete', 'COMPLETED'],
    ])
    const [session] = await link.checkouts()
    expect(session.embedded_origin).toBe(front.origin)
    expect(await page.context().cookies()).toEqual([])
    expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(2)
    // No file of the page is fetched twice.
    const assets = urls.filter((url) => url.includes('/assets/'))
    expect(assets.length).toBeGreaterThan(1)
    expect(assets).toEqual([...new Set(assets)])
  },
)

test(
  'the frame has only the permissions that a payment needs, and the height of its content',
  { tag: '@deep' },
  async ({ embed, framed }) => {
    await embed()
    const attribute = (name: string) => framed.element.getAttribute(name)
    await expect.poll(() => framed.height()).toBeGreaterThan(700)
    expect((await attribute('sandbox'))?.split(' ').toSorted()).toEqual([
      'allow-forms',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
      'allow-top-navigation-by-user-activation',
    ])
    expect(await attribute('allow')).toBe('payment *; clipboard-write')
    expect(await attribute('referrerpolicy')).toBe('origin')
    const form = await framed.height()
    expect(await framed.scrolls()).toBe(false)
    await framed.place.getByText('Add phone and address').click()
    await expect.poll(() => framed.height()).toBeGreaterThan(form + 100)
    expect(await framed.scrolls()).toBe(false)
    await framed.payToReceipt()
    await expect.poll(() => framed.height()).toBeLessThan(form)
  },
)

test(
  'a declined card scrolls the reason into view, and another card pays',
  { tag: '@deep' },
  async ({ embed, framed }) => {
    await embed()
    await framed.pay(CARDS.insufficient)
    await expect(framed.alert).toContainText('There is not enough money')
    await expect(framed.alert).toBeInViewport()
    await framed.pay()
    await expect(framed.receipt).toBeInViewport()
  },
)

test(
  'a frame grows with the field for another amount, and the payer pays what they typed',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const link = await embed({
      amount_min: '5.00',
      amount_max: '80.00',
      amount_presets: ['10.00', '25.00'],
    })
    const presets = framed.place.getByRole('radiogroup', { name: 'Amount' })
    await presets.getByRole('radio', { name: '€25.00' }).check()
    await expect(framed.payButton).toHaveText(/Pay €25\.00/)
    await expect.poll(() => framed.scrolls()).toBe(false)
    const picked = await framed.height()
    await presets.getByRole('radio', { name: 'Other amount' }).check()
    await expect.poll(() => framed.height()).toBeGreaterThan(picked + 40)
    expect(await framed.scrolls()).toBe(false)
    const amount = framed.place.locator('#field-amount')
    await amount.fill('4')
    await framed.pay()
    await expect(amount).toBeFocused()
    await expect(framed.place.locator('#field-amount-error')).toHaveText(
      'Choose an amount between €5.00 and €80.00.',
    )
    expect(await framed.scrolls()).toBe(false)
    await expectAccessible(page)
    await amount.fill('42')
    await framed.payToReceipt()
    await expect.poll(() => framed.height()).toBeLessThan(picked)
    const paid = await link.read('payment')
    expect(paid.payment).toMatchObject({ amount: '42.00', quantity: null })
    await expect
      .poll(() => lastDetail(page, 'complete'))
      .toEqual({ payment_link: link.id, status: 'COMPLETED', transaction: paid.transaction })
    const statuses = (await recordedEvents(page)).filter(({ type }) => type === 'status')
    expect(statuses.map(({ detail }) => detail.status)).toEqual(['OPEN', 'SUBMITTED', 'COMPLETED'])
  },
)

test(
  'a free trial begins in a frame, whose completion names no transaction',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const link = await embed({ amount: '9.00', recurring: { frequency: 'MONTH', trial_days: 14 } })
    await expect(framed.place.getByText('14 days free', { exact: true })).toBeVisible()
    await framed.fillCard()
    await framed.place.getByRole('button', { name: 'Start free trial' }).click()
    await expect(framed.heading('Your free trial has begun')).toBeVisible()
    await expect.poll(() => framed.scrolls()).toBe(false)
    const { account } = await link.read()
    await expect
      .poll(() => lastDetail(page, 'complete'))
      .toEqual({ payment_link: link.id, status: 'COMPLETED', account })
  },
)

test('skip_receipt redirects the window of the shop', async ({ embed, framed, front, page }) => {
  const success_url = `${front.origin}${front.page(shopPage('<h2>Thank you!</h2>'))}?a=b`
  const link = await embed({ amount: '24.00', success_url, skip_receipt: true })
  await framed.pay()
  await expect(page.getByText('Thank you!')).toBeVisible()
  const { transaction } = await link.read()
  expect(page.url()).toBe(
    `${success_url}&payment_link=${link.id}&status=COMPLETED&transaction=${transaction}`,
  )
})

test(
  'a pending payment emits pending and then completed',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await embed()
    await framed.pay(CARDS.pendingSuccess)
    await expect(framed.receipt).toBeVisible()
    const completions = async () => {
      const all = await recordedEvents(page)
      return all.filter(({ type }) => type === 'complete').map(({ detail }) => detail.status)
    }
    await expect.poll(completions).toEqual(['PENDING', 'COMPLETED'])
  },
)

test('an unavailable link is shown as unavailable in the shop', async ({
  framed,
  merchant,
  page,
  visit,
}) => {
  const link = await merchant.createLink()
  await link.archive()
  await visit(inline(link))
  await expect(framed.heading('This payment link is not available')).toBeVisible()
  await expect.poll(() => lastDetail(page, 'error')).toEqual({ code: 'GONE' })
})

test(
  'two checkouts of one page do not receive each other’s messages',
  { tag: '@deep' },
  async ({ framed: one, merchant, page, visit }) => {
    const [first, second] = await Promise.all([merchant.createLink(), merchant.createLink()])
    await visit(inline(first, 'shop-0') + inline(second, 'shop-1'))
    const two = new EmbeddedCheckout(page, 1)
    await expect(two.payButton).toBeVisible()
    // A frame out of view has its height, too.
    await expect.poll(() => two.height()).toBeGreaterThan(1000)
    await two.element.scrollIntoViewIfNeeded()
    await expect.poll(() => two.scrolls()).toBe(false)
    const height = await two.height()
    await one.payToReceipt()
    await expect.poll(() => lastDetail(page, 'complete')).toBeDefined()
    const paid = (await recordedEvents(page)).filter(({ type }) => type === 'complete')
    expect(paid.map(({ at, detail }) => [at, detail.payment_link])).toEqual([['shop-0', first.id]])
    expect(await two.height()).toBe(height)
    await two.payToReceipt()
    expect((await second.read()).status).toBe('PAYMENT_SUCCESS')
  },
)
