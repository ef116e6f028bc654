import { readFileSync } from 'node:fs'
import { fillCard, pay } from '../widget/gallery/live-scenes.ts'
import { findOverflow } from '../widget/gallery/overflow.ts'
import { CARDS, expect, expectAccessible, OWN_CONTEXT } from './fixtures.ts'
import { test } from './test.ts'

/** The page in the payer's language. */

const BASE = JSON.parse(
  readFileSync(new URL('../locales/default.json', import.meta.url), 'utf8'),
) as Record<string, string>

test.describe('a browser that speaks Swiss French', { tag: OWN_CONTEXT }, () => {
  test.use({ locale: 'fr-CH' })
  test('gets French text, amounts and dates', async ({ openLink, page }) => {
    await openLink(
      { amount: '1234.50', currency: 'EUR', timezone: 'Europe/Paris' },
      { expires: '2034-01-31T09:00:00Z' },
    )
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await expect(page.getByText(/31 janvier 2034/)).toBeVisible()
    await expect(page.locator('button[type=submit]')).toContainText(/1\s?234,50\s€/)
    await expectAccessible(page)
  })
})

// The language menu's test pays in German, and one of `accessibility.spec.ts` in Arabic.
for (const [language, direction, ...tag] of [
  ['de', 'ltr', '@deep'],
  ['he', 'rtl', '@deep'],
  ['ja', 'ltr', '@deep'],
] as const) {
  test(
    `the page works in ${language} with the direction ${direction}`,
    { tag },
    async ({ checkout, merchant, page }) => {
      const link = await merchant.createLink()
      await page.setViewportSize({ width: 390, height: 844 })
      await checkout.open(`${link.url}?lang=${language}`)
      await expect(page.locator('html')).toHaveAttribute('dir', direction)
      await expectAccessible(page)
      await fillCard(page)
      await pay(page)
      await expect.poll(async () => (await link.read()).status).toBe('PAYMENT_SUCCESS')
      await expect(page.locator('h1')).not.toHaveText(BASE['receipt.title'] as string)
      await expectAccessible(page, 'dark')
    },
  )
}

test(
  'the language menu changes the page and keeps the input',
  { tag: '@deep' },
  async ({ checkout, openLink, page }) => {
    await openLink()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Language').focus()
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(page.getByLabel('E-Mail')).toHaveValue('ada@example.com')
    await expect(page.locator('button[type=submit]')).toContainText('24,00 €')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await fillCard(page, CARDS.challenge)
    await pay(page)
    await checkout.answerBank('Approve')
    // After the bank's page the session has the strings it was opened with.
    await expect(page.getByRole('heading', { name: 'Zahlung abgeschlossen' })).toBeVisible()
  },
)

test(
  'hydration formats no text that the server has rendered',
  { tag: '@deep' },
  async ({ openLink, page }) => {
    await page.addInitScript(() => {
      window.records = []
      for (const name of ['NumberFormat', 'DisplayNames', 'DateTimeFormat'] as const) {
        const counted = new Proxy(Intl[name], {
          construct(target, args) {
            window.records.push(name)
            return Reflect.construct(target, args) as object
          },
        })
        Object.defineProperty(Intl, name, { value: counted })
      }
    })
    await openLink()
    await expect(page.locator('.delayed')).toHaveCount(0)
    expect(await page.evaluate(() => window.records)).toEqual([])
    await page.getByLabel('Language').focus()
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await expect(page.locator('button[type=submit]')).toContainText('24,00 €')
    expect(await page.evaluate(() => window.records)).toContain('NumberFormat')
  },
)

test('a session keeps its strings through changes and a reload, and a new session gets the new ones', async ({
  browser,
  checkout,
  merchant,
  page,
}) => {
  await merchant.saveStrings('af', { 'methods.title': 'Hoe om te betaal' })
  const link = await merchant.createLink({ amount: '24.00' })
  await checkout.open(`${link.url}?lang=af`)
  await merchant.saveStrings('af', { 'methods.title': 'Kies hoe jy betaal' })
  const resumed = page.waitForResponse((response) => /\/current(\?|$)/.test(response.url()))
  await page.reload()
  await resumed
  await expect(page.getByRole('heading', { name: 'Hoe om te betaal' })).toBeVisible()
  const other = await browser.newPage()
  await other.goto(`${link.url}?lang=af`)
  await expect(other.getByRole('heading', { name: 'Kies hoe jy betaal' })).toBeVisible()
  await other.close()
})

test(
  'strings that are much longer are neither cut off nor widen the page',
  { tag: '@deep' },
  async ({ merchant, page }) => {
    const longer = Object.fromEntries(
      Object.entries(BASE)
        .filter(([id]) => !/^(authorize|sign_in)\./.test(id))
        .map(([id, text]) => [
          id,
          `${text} ${'ö'.repeat(4)} ${'längere Wörter '.repeat(Math.ceil(text.length / 30))}`,
        ]),
    )
    await merchant.saveStrings('eo', longer)
    const link = await merchant.createLink({ amount: '24.00', name: 'Two bags of coffee' })
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${link.url}?lang=eo`)
      expect(await page.evaluate(findOverflow)).toEqual([])
    }
  },
)
