import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, type Link } from './fixtures.ts'
import { hold } from './network.ts'
import { escape } from './pages/embedded.ts'
import { heights, inline, lastDetail, opener, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** A checkout in a dialog over a merchant's page. */

const PACKAGE = new URL('../packages/embed/dist/esm/', import.meta.url)

const amongLinks = (link: Link) =>
  `<p id="before"><a href="#before">Basket</a></p>${opener(link)}
  <p><a href="#after">Imprint</a></p><div style="height: 200vh"></div>`

const dialog = (page: Page) => page.getByRole('dialog')
const payNow = (page: Page) => page.getByText('Pay now')
const close = (page: Page) => page.getByRole('button', { name: 'Close' })
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement
    return (active?.shadowRoot?.activeElement ?? active)?.tagName
  })

test('a payer pays in a dialog with the keyboard alone and gets the focus back', async ({
  embed,
  framed,
  page,
}) => {
  await embed(undefined, amongLinks)
  await payNow(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveAccessibleName(/Corner Shop|My company/)
  await expect(framed.payButton).toBeVisible()
  expect(await focused(page)).toBe('BUTTON')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe(
    'hidden',
  )
  // The focus cycles inside the dialog.
  await tabTo(page, framed.payButton)
  await page.keyboard.press('Tab')
  await expect(close(page)).toBeFocused()
  for (let turn = 0; turn < 40; turn += 1) {
    await page.keyboard.press('Tab')
    expect(['IFRAME', 'BUTTON', 'BODY']).toContain(await focused(page))
  }
  await tabTo(page, framed.cardNumber)
  await page.keyboard.type('4242424242424242')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1234')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect(framed.receipt).toBeFocused()
  await escape(page)
  await expect(page.locator('#opener')).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
  expect((await recordedEvents(page)).map(({ type, at }) => `${type} ${at}`)).toEqual(
    expect.arrayContaining(['complete opener', 'close opener']),
  )
})

test(
  'dialog and frame have an accessible name before the page has loaded',
  { tag: '@deep' },
  async ({ embedScript, front, merchant, page }) => {
    // The frame's document never loads.
    await page.route(/\/pay\/pl_/, () => {})
    const content = opener(await merchant.createLink()) + inline(await merchant.createLink())
    const address = front.origin + front.page(shopPage(embedScript + content))
    await page.goto(address, { waitUntil: 'domcontentloaded' })
    await expect(page.locator('iframe').first()).toHaveAttribute('title', /\S/)
    await payNow(page).click()
    await expect(dialog(page)).toHaveAccessibleName('Pay now')
    await expect(dialog(page).locator('iframe')).toHaveAttribute('title', 'Pay now')
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  },
)

test(
  'a dialog stays open with a notice during a payment and closes afterwards',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const link = await embed(undefined, opener)
    const submit = await hold(page, '**/submit')
    await payNow(page).click()
    await framed.pay()
    await expect.poll(() => lastDetail(page, 'status')).toEqual({ status: 'SUBMITTED' })
    await close(page).click()
    await expect(framed.alert).toContainText('Please wait until that is done')
    // The frame refuses each request to close; without a response the dialog would close.
    const refusals = async () =>
      (await recordedEvents(page)).filter(({ detail }) => detail.status === 'SUBMITTED').length
    await expect.poll(refusals).toBe(2)
    await framed.alert.press('Escape')
    await expect.poll(refusals).toBe(3)
    await close(page).press('Escape')
    await expect.poll(refusals).toBe(4)
    // Browsers close a dialog themselves on a second Escape.
    await close(page).press('Escape')
    await expect.poll(refusals).toBe(5)
    await close(page).dblclick()
    await expect.poll(refusals).toBe(7)
    // The timeout for a frame that does not respond.
    await page.waitForTimeout(3_500)
    await expect(dialog(page)).toBeVisible()
    expect((await recordedEvents(page)).map(({ type }) => type)).not.toContain('close')
    submit.release()
    await expect(framed.receipt).toBeVisible()
    await close(page).click()
    await expect(dialog(page)).toHaveCount(0)
    expect((await link.read()).status).toBe('PAYMENT_SUCCESS')
  },
)

test(
  'a payer chooses how many in a dialog on a phone, and the dialog fits',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const link = await embed({ unit_amount: '12.50', quantity_max: 4, name: 'Concert' }, amongLinks)
    await payNow(page).click()
    const quantity = framed.place.getByRole('spinbutton', { name: 'Quantity' })
    await framed.place.getByRole('button', { name: 'One more' }).click()
    await expect(quantity).toHaveValue('2')
    await quantity.fill('9')
    await expect(quantity).toHaveValue('4')
    await framed.place.getByRole('button', { name: 'One fewer' }).click()
    await expect(framed.payButton).toHaveText(/Pay €37\.50/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await framed.payToReceipt()
    await expect(framed.place.locator('.properties')).toContainText('3 × €12.50')
    const paid = await link.read('payment')
    expect(paid.payment).toMatchObject({ amount: '37.50', quantity: 3, unit_amount: '12.50' })
    await expect
      .poll(() => lastDetail(page, 'complete'))
      .toEqual({ payment_link: link.id, status: 'COMPLETED', transaction: paid.transaction })
  },
)

test(
  'a dialog on a deep link takes the amount that the address fills in',
  { tag: '@deep' },
  async ({ api, framed, page, visit }) => {
    const options = { amount_presets: ['10.00', '25.00'], currency: 'EUR' }
    const { deep_link } = await api('/deep_links', {
      body: { deep_link: { action: 'PAY', options } },
    })
    await visit(opener({ url: `${deep_link.url}?amount=25.00` } as Link))
    await payNow(page).click()
    const presets = framed.place.getByRole('radiogroup', { name: 'Amount' })
    await expect(presets.getByRole('radio', { name: '€25.00' })).toBeChecked()
    await framed.payToReceipt()
    const { payment_links } = await api(`/deep_links/${deep_link.id}/payment_links?expand=payment`)
    expect(payment_links[0].payment.amount).toBe('25.00')
    await expect
      .poll(() => lastDetail(page, 'complete'))
      .toMatchObject({ payment_link: payment_links[0].id, status: 'COMPLETED' })
  },
)

test('a payer who cannot close the dialog yet sees a notice', async ({ embed, framed, page }) => {
  await embed(undefined, opener)
  await page.route('**/checkouts', () => {})
  await payNow(page).click()
  await framed.pay()
  await expect.poll(() => lastDetail(page, 'status')).toEqual({ status: 'SUBMITTED' })
  await close(page).click()
  await expect(framed.alert).toContainText('Please wait until that is done')
})

test(
  'a dialog that is closed while loading leaves nothing behind, and the next one fits a phone and pays',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await embed(undefined, opener)
    await payNow(page).click()
    await escape(page)
    await payNow(page).click()
    await expect(framed.payButton).toBeInViewport({ ratio: 1 })
    expect(await dialog(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    await framed.payToReceipt()
  },
)

test(
  'an overlay loads on hover and opens a session only when it is shown',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    const link = await embed(undefined, opener)
    const loaded = page.waitForRequest((request) => request.url().includes(`/pay/${link.id}`))
    await payNow(page).hover()
    await loaded
    await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
    await expect(dialog(page)).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(
      page.viewportSize()?.height,
    )
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('A')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('BODY')
    expect(await link.checkouts()).toEqual([])
    const opened = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
    await payNow(page).click()
    await opened
    await expect(framed.payButton).toBeVisible()
    expect(await link.checkouts()).toHaveLength(1)
    // The dialog has its height before it is opened.
    expect(Math.min(...(await heights(page)))).toBeGreaterThan(300)
    await expectAccessible(page, 'dark')
    expect(await lastDetail(page, 'error')).toBeUndefined()
  },
)

test(
  'an overlay loads when a finger touches its opener, before the finger is lifted',
  { tag: '@deep' },
  async ({ embed, page }) => {
    const link = await embed(undefined, opener)
    const { x, y, width, height } = (await payNow(page).boundingBox())!
    const loaded = page.waitForRequest((request) => request.url().includes(`/pay/${link.id}`))
    const devtools = await page.context().newCDPSession(page)
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await loaded
    await expect(dialog(page)).toHaveCount(0)
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(dialog(page)).toBeVisible()
  },
)

test(
  'a checkout that a bundled script has loaded ahead is shown by its show()',
  { tag: '@deep' },
  async ({ embed, framed, page }) => {
    await page.route('**/bundled/**', (route) => {
      const [, path = ''] = route.request().url().split('/bundled/')
      return route.fulfill({ path: fileURLToPath(new URL(path, PACKAGE)) })
    })
    const link = await embed(undefined, () => '<button id="opener">Pay now</button>')
    await page.evaluate(`(async () => {
      const { preload } = await import('/bundled/widget/embed/index.js')
      const button = document.querySelector('#opener')
      const checkout = preload({ link: ${JSON.stringify(link.url)} }, button)
      button.addEventListener('click', () => checkout.show())
    })()`)
    await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
    expect(await link.checkouts()).toEqual([])
    await payNow(page).click()
    await framed.payToReceipt()
  },
)

test(
  'an opener whose link changed after the hover opens the new link',
  { tag: '@deep' },
  async ({ embed, framed, merchant, page }) => {
    const two = await merchant.createLink({ amount: '7.00' })
    await embed(undefined, opener)
    await payNow(page).hover()
    await expect.poll(() => lastDetail(page, 'ready')).toBeDefined()
    await page
      .locator('#opener')
      .evaluate((anchor, url) => anchor.setAttribute('href', url), two.url)
    await payNow(page).click()
    await expect(framed.payButton).toHaveText('Pay €7.00')
  },
)

test(
  'without the script, with preventDefault and with Control pressed, the opener opens no dialog',
  { tag: '@deep' },
  async ({ embed, front, page }) => {
    const link = await embed(undefined, opener)
    await page.waitForFunction(() => 'Checkstand' in window)
    const stop = (anchor: Element) =>
      anchor.addEventListener('click', (event) => event.preventDefault(), { once: true })
    await page.locator('#opener').evaluate(stop)
    await payNow(page).click()
    await expect(dialog(page)).toHaveCount(0)
    const tab = page.context().waitForEvent('page')
    await payNow(page).click({ modifiers: ['Control'] })
    expect((await tab).url()).toBe(link.url)
    await payNow(page).click()
    await expect(dialog(page)).toHaveCount(1)
    await page.goto(front.origin + front.page(shopPage(opener(link))))
    await payNow(page).click()
    await expect(page).toHaveURL(link.url)
  },
)

/** Presses Tab until a control in the frame has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('the focus never came there')
}
