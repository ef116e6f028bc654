import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { CARDS, expect, type Link } from './fixtures.ts'
import { EmbeddedCheckout, escape } from './pages/embedded.ts'
import { recordedEvents, heights, inline, lastDetail, shopPage } from './pages/shop.ts'
import { test } from './shop-fixtures.ts'

/** A checkout in a dialog over a merchant's page. */

test.describe.configure({ timeout: 60_000 })

const opener = (link: Link) =>
  `<p id="before"><a href="#before">Basket</a></p>
  <a id="opener" data-checkstand="overlay" href="${link.url}">Pay now</a>
  <p><a href="#after">Imprint</a></p><div style="height: 200vh"></div>`

const dialog = (page: Page) => page.getByRole('dialog')
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement
    return (active?.shadowRoot?.activeElement ?? active)?.tagName
  })

test('a payer pays in a dialog with the keyboard alone and gets the focus back', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.getByRole('link', { name: 'Pay now' }).focus()
  await page.keyboard.press('Enter')
  const checkout = new EmbeddedCheckout(page)
  await expect(dialog(page)).toHaveAccessibleName(/Corner Shop|My company/)
  await expect(checkout.payButton).toBeVisible()
  expect(await focused(page)).toBe('BUTTON')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe(
    'hidden',
  )
  await tabTo(page, checkout.cardNumber)
  await page.keyboard.type('4242424242424242')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1234')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect(checkout.heading('Payment complete')).toBeFocused()
  await escape(page)
  await expect(page.locator('#opener')).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
  expect((await recordedEvents(page)).map(({ type, at }) => `${type} ${at}`)).toEqual(
    expect.arrayContaining(['complete opener', 'close opener']),
  )
})

test('dialog and frame have an accessible name before the page has loaded', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  // The frame's document never loads.
  await page.route(/\/pay\/pl_/, () => {})
  const content = opener(link) + inline(await merchant.createLink())
  const address = front.origin + front.page(shopPage(embedScript + content))
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  await expect(page.locator('iframe').first()).toHaveAttribute('title', /\S/)
  await page.getByRole('link', { name: 'Pay now' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Pay now')
  await expect(dialog(page).locator('iframe')).toHaveAttribute('title', 'Pay now')
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
})

test('the focus cycles inside the dialog', async ({ embedScript, front, merchant, page }) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.getByText('Pay now').click()
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeVisible()
  await tabTo(page, checkout.payButton)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused()
  for (let turn = 0; turn < 40; turn += 1) {
    await page.keyboard.press('Tab')
    expect(['IFRAME', 'BUTTON', 'BODY']).toContain(await focused(page))
  }
})

test('a dialog stays open with a notice during a payment and closes afterwards', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/submit', async (route) => {
    await held
    await route.continue()
  })
  await page.getByText('Pay now').click()
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect.poll(() => lastDetail(page, 'status')).toEqual({ status: 'SUBMITTED' })
  const close = page.getByRole('button', { name: 'Close' })
  await close.click()
  await expect(checkout.alert).toContainText('Please wait until that is done')
  // The frame refuses each request to close; without a response the dialog would close.
  const refusals = () => recordedEvents(page).then((all) => all.filter(isRefusal).length)
  await expect.poll(refusals).toBe(2)
  await checkout.alert.press('Escape')
  await expect.poll(refusals).toBe(3)
  await close.press('Escape')
  await expect.poll(refusals).toBe(4)
  // Browsers close a dialog themselves on a second Escape.
  await close.press('Escape')
  await expect.poll(refusals).toBe(5)
  await close.dblclick()
  await expect.poll(refusals).toBe(7)
  // The timeout for a frame that does not respond.
  await page.waitForTimeout(3_500)
  await expect(dialog(page)).toBeVisible()
  expect((await recordedEvents(page)).map(({ type }) => type)).not.toContain('close')
  answer()
  await expect(checkout.heading('Payment complete')).toBeVisible()
  await close.click()
  await expect(dialog(page)).toHaveCount(0)
  expect((await merchant.readLink(link.id)).status).toBe('PAYMENT_SUCCESS')
})

test('a payer who cannot close the dialog yet sees a notice', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.route('**/checkouts', () => {})
  await page.getByText('Pay now').click()
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect.poll(() => lastDetail(page, 'status')).toEqual({ status: 'SUBMITTED' })
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(checkout.alert).toContainText('Please wait until that is done')
})

test('a dialog that is closed while loading leaves nothing behind, and the next one pays', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.getByText('Pay now').click()
  await escape(page)
  await page.getByText('Pay now').click()
  const checkout = new EmbeddedCheckout(page)
  await checkout.pay(CARDS.approve)
  await expect(checkout.heading('Payment complete')).toBeVisible()
})

test('an overlay loads on hover and opens a session only when it is shown', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  const loaded = page.waitForRequest((request) => request.url().includes(`/pay/${link.id}`))
  await page.getByText('Pay now').hover()
  await loaded
  await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
  await expect(dialog(page)).toHaveCount(0)
  expect(await merchant.listCheckouts(link.id)).toEqual([])
  const opened = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
  await page.getByText('Pay now').click()
  await opened
  await expect(new EmbeddedCheckout(page).payButton).toBeVisible()
  expect(await merchant.listCheckouts(link.id)).toHaveLength(1)
})

test('an opener whose link changed after the hover opens the new link', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const [one, two] = [await merchant.createLink(), await merchant.createLink({ amount: '7.00' })]
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(one))))
  await page.getByText('Pay now').hover()
  await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
  await page.locator('#opener').evaluate((anchor, url) => anchor.setAttribute('href', url), two.url)
  await page.getByText('Pay now').click()
  await expect(new EmbeddedCheckout(page).payButton).toHaveText('Pay €7.00')
})

test('the dialog has its height before it is opened', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.getByText('Pay now').hover()
  await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
  await page.getByText('Pay now').click()
  await expect(new EmbeddedCheckout(page).payButton).toBeVisible()
  expect(Math.min(...(await heights(page)))).toBeGreaterThan(300)
})

test('a click with preventDefault opens nothing', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.waitForFunction(() => 'Checkstand' in window)
  const stop = (anchor: Element) =>
    anchor.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await page.locator('#opener').evaluate(stop)
  await page.getByText('Pay now').click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByText('Pay now').click()
  await expect(dialog(page)).toHaveCount(1)
})

test('without the script and with Control pressed, the opener is a plain link', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  const tab = page.context().waitForEvent('page')
  await page.getByText('Pay now').click({ modifiers: ['Control'] })
  expect((await tab).url()).toBe(link.url)
  await page.goto(front.origin + front.page(shopPage(opener(link))))
  await page.getByText('Pay now').click()
  await expect(page).toHaveURL(link.url)
})

test('the dialog fits a phone, with its pay button in view', async ({
  embedScript,
  front,
  merchant,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const link = await merchant.createLink()
  await page.goto(front.origin + front.page(shopPage(embedScript + opener(link))))
  await page.getByText('Pay now').click()
  const checkout = new EmbeddedCheckout(page)
  await expect(checkout.payButton).toBeInViewport({ ratio: 1 })
  expect(await dialog(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
})

const isRefusal = ({ type, detail }: { type: string; detail: { status?: string } }) =>
  type === 'status' && detail.status === 'SUBMITTED'

/** Presses Tab until a control in the frame has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('the focus never came there')
}
