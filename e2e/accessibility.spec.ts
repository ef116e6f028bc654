import { fillCard, pay } from '../widget/gallery/live-scenes.ts'
import { findOverflow } from '../widget/gallery/overflow.ts'
import { recordAnnouncements } from './announcements.ts'
import { CARDS, expect, expectAccessible } from './fixtures.ts'
import { test } from './test.ts'
import { hold } from './network.ts'

/** Accessibility: zoom, contrast, motion, screen readers, keyboard and right-to-left text. */

const CHOICES = { default_amount: '5.00', allow_description: true, account: { phone: '1' } }

for (const [name, width, height, ...tag] of [
  ['at 400 % of a desktop', 320, 200, '@deep'],
  ['on the smallest phone', 320, 568],
] as const) {
  test(
    `${name} everything fits and the pay button covers nothing`,
    { tag },
    async ({ checkout, openLink, page }) => {
      await page.setViewportSize({ width, height })
      await openLink(CHOICES, { expires: '2034-01-31T09:00:00Z' })
      expect(await page.evaluate(findOverflow)).toEqual([])
      // A sticky bar covers a part of the window.
      const taken = page.locator('.pay').evaluate((bar) => {
        return getComputedStyle(bar).position === 'sticky' ? bar.clientHeight / innerHeight : 0
      })
      expect(await taken).toBeLessThan(0.2)
      await page.getByText('Use a test card').click()
      await page.getByRole('button', { name: 'Card is declined' }).scrollIntoViewIfNeeded()
      await checkout.payButton.click()
      await expect(checkout.cardNumber).toBeFocused()
      const atItsPlace = checkout.cardNumber.evaluate((input) => {
        const { left, top, width, height } = input.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height - 2) === input
      })
      expect(await atItsPlace).toBe(true)
      expect(await page.evaluate(findOverflow)).toEqual([])
      await checkout.pay(CARDS.decline)
      await expect(checkout.alert).toContainText('declined')
      expect(await page.evaluate(findOverflow)).toEqual([])
      await checkout.pay(CARDS.challenge)
      await checkout.answerBank('Approve')
      await expect(checkout.receipt).toBeVisible()
      expect(await page.evaluate(findOverflow)).toEqual([])
    },
  )
}

test(
  'forced colors keep boundaries visible',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await openLink()
    const chosen = page.locator('.method.chosen')
    await expect(chosen).toHaveCSS('outline-style', 'solid')
    await expect(page.locator('.method:not(.chosen)').first()).toHaveCSS('outline-style', 'none')
    for (const control of [page.getByRole('radio').first(), page.getByRole('checkbox')]) {
      await expect(control).toHaveCSS('appearance', 'auto')
    }
    await expect(checkout.payButton).toHaveCSS('border-top-width', '2px')
    const edge = checkout.payButton.evaluate((button) => {
      const { borderTopColor, backgroundColor } = getComputedStyle(button)
      return borderTopColor !== backgroundColor
    })
    expect(await edge).toBe(true)
    await checkout.cardNumber.focus()
    await expect(checkout.cardNumber).toHaveCSS('outline-style', 'solid')
    await checkout.payButton.click()
    await expect(checkout.cardNumber).toHaveAccessibleDescription(/Enter the card number/)
  },
)

test(
  'reduced motion stops every animation',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    const moving = () =>
      page.evaluate(
        () => document.getAnimations().filter((one) => one.playState === 'running').length,
      )
    await openLink()
    const submit = await hold(page, '**/submit')
    await checkout.pay()
    await expect(page.locator('.pay .spinner')).toBeVisible()
    expect(await moving()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // The style is recalculated with the next frame.
    await expect.poll(moving).toBe(0)
    submit.release()
    await expect(checkout.receipt).toBeVisible()
    expect(await moving()).toBe(0)
  },
)

test(
  'live regions announce each message once, and a repeated message again',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await recordAnnouncements(page)
    const records = () => page.evaluate(() => window.records.splice(0))
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await checkout.payButton.click()
      await expect(checkout.cardNumber).toBeFocused()
      await expect.poll(records).toEqual(['status: 3 entries need your atte'])
    }
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await checkout.pay(CARDS.decline)
      await expect(checkout.payButton).toHaveText('Pay €24.00')
      await expect(page.locator('#notice')).toBeFocused()
      expect(await records()).toEqual([
        'status: Your payment is being pr',
        'alert: Your bank declined the p',
      ])
    }
    expect(await page.locator('[role=alert], [role=status], [aria-live]').count()).toBe(2)
  },
)

test('the tab order follows the reading order', { tag: '@deep' }, async ({ openLink, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openLink(CHOICES)
  const seen: { place: number; outlined: boolean; size: number }[] = []
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      if (element === document.body) return null
      const drawn = element.closest('label.method-label') ?? element
      const pressed = element.closest('label.check') ?? drawn
      const { top, height, width } = pressed.getBoundingClientRect()
      return {
        place: Math.round(top + scrollY),
        outlined: getComputedStyle(drawn).outlineStyle !== 'none',
        size: Math.min(height, width),
      }
    })
    if (at === null) break
    seen.push(at)
  }
  expect(seen.length).toBeGreaterThan(12)
  const places = seen.map(({ place }) => place)
  // The sticky bar is positioned over the page, so its place does not show its order.
  expect(places.slice(0, -1)).toEqual(places.slice(0, -1).toSorted((a, b) => a - b))
  expect(seen.filter(({ outlined }) => !outlined)).toEqual([])
  expect(seen.filter(({ size }) => size < 44)).toEqual([])
})

test('a payer can choose, type and pay without a pointer', async ({
  checkout,
  openLink,
  page,
  shop,
}) => {
  const success_url = `${shop}/ok`
  const link = await openLink({ default_amount: '5.00', allow_description: true, success_url })
  const to = async (name: string) => {
    const focused = () => page.evaluate(() => document.activeElement?.id)
    for (let i = 0; i < 30 && (await focused()) !== name; i += 1) await page.keyboard.press('Tab')
    expect(await focused()).toBe(name)
  }
  await to('field-amount')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('7.50')
  await to('field-description')
  await page.keyboard.type('For Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Direct debit' })).toBeChecked()
  await to('field-iban')
  await page.keyboard.type('GB35SAND00000000000077')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ada Lovelace')
  await page.keyboard.press('Tab')
  await expect(checkout.payButton).toBeFocused()
  await expect(checkout.payButton).toHaveText('Pay €7.50')
  await page.keyboard.press('Space')
  await expect(checkout.receipt).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`^${shop}/ok`))
  const { payment } = await link.read('payment')
  expect(payment).toMatchObject({ amount: '7.50', description: 'For Ada' })
})

test(
  'an Arabic page is right to left, and each text keeps its own direction',
  { tag: '@deep' },
  async ({ merchant, page }) => {
    const link = await merchant.createLink({
      currency: 'EUR',
      name: 'Coffee!',
      page_intro: 'Thank you.',
      account: { first_name: 'نور', email: 'noor@example.com', address: { line1: '12 High St.' } },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${link.url}?lang=ar`)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByText('Thank you.')).toHaveCSS('unicode-bidi', 'plaintext')
    await expect(page.getByText('Thank you.')).toHaveCSS('text-align', 'right')
    const direction = (id: string) =>
      page.locator(id).evaluate((input) => getComputedStyle(input).direction)
    expect(await direction('#field-first-name')).toBe('rtl')
    expect(await direction('#field-line1')).toBe('ltr')
    expect(await direction('#field-email')).toBe('ltr')
    expect(await direction('#field-number')).toBe('ltr')
    await expect(page.locator('#field-line1')).toHaveCSS('text-align', 'right')
    // The amount does not overlap its currency.
    const amount = page.locator('#field-amount')
    await amount.fill('20')
    await expect(amount).toHaveCSS('direction', 'ltr')
    await expect(amount).toHaveCSS('padding-right', '14px')
    await expect(amount).toHaveCSS('padding-left', '72px')
    await expectAccessible(page)
    await fillCard(page)
    await pay(page)
    const method = page.locator('dd', { hasText: 'Visa' })
    await expect(method).toBeVisible()
    await expect(page.locator('h1')).not.toHaveText('Payment complete')
    await expectAccessible(page, 'dark')
    // The first word is to the right of the digits.
    const [name, digits] = await method.evaluate((element) => {
      const text = element.firstChild as Text
      return ['Visa', '4242'].map((word) => {
        const range = document.createRange()
        range.setStart(text, text.data.indexOf(word))
        range.setEnd(text, text.data.indexOf(word) + word.length)
        return range.getBoundingClientRect().left
      })
    })
    expect(name).toBeGreaterThan(digits ?? 0)
  },
)

test(
  'the text of every field is large enough that phones do not zoom in',
  { tag: '@deep' },
  async ({ openLink, page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const address = { country: 'US', line1: 'Main Street 1', line3: 'c/o Ada' }
    await openLink({
      default_alt_key: '',
      description: 'Books',
      allow_description: true,
      account: { address },
    })
    await page.getByText('Use a test card').click()
    for (const method of await page.getByRole('radio').all()) {
      await method.check()
      const fields = await page
        .locator('input:not([type=radio], [type=checkbox]), select, textarea')
        .evaluateAll((all) =>
          all.map((field) => [
            field.getAttribute('name') ?? field.id,
            parseFloat(getComputedStyle(field).fontSize) >= 16,
          ]),
        )
      expect(fields.length).toBeGreaterThan(8)
      expect(fields.filter(([, large]) => !large)).toEqual([])
    }
    expect(await page.getByLabel('Language').count()).toBe(1)
  },
)
