import { readFileSync } from 'node:fs'
import { CARDS, expect, expectAccessible, test } from './fixtures.ts'

/** The page in the payer's language. */

const BASE = JSON.parse(
  readFileSync(new URL('../locales/default.json', import.meta.url), 'utf8'),
) as Record<string, string>

test.describe('a browser that speaks Swiss French', () => {
  test.use({ locale: 'fr-CH' })
  test('gets French text, amounts and dates', async ({ checkout, merchant, page }) => {
    const link = await merchant.createLink(
      { amount: '1234.50', currency: 'EUR', timezone: 'Europe/Paris' },
      { expires: '2034-01-31T09:00:00Z' },
    )
    await checkout.open(link.url)
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await expect(page.getByText(/31 janvier 2034/)).toBeVisible()
    await expect(page.locator('button[type=submit]')).toContainText(/1\s?234,50\s€/)
    await expectAccessible(page)
  })
})

for (const [language, direction] of [
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['ja', 'ltr'],
  ['de', 'ltr'],
] as const) {
  test(`the page works in ${language} with the direction ${direction}`, async ({
    merchant,
    page,
  }) => {
    const link = await merchant.createLink({ amount: '24.00', name: 'Coffee' })
    await page.setViewportSize({ width: 390, height: 844 })
    const opened = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
    await page.goto(`${link.url}?lang=${language}`)
    await opened
    await expect(page.locator('html')).toHaveAttribute('dir', direction)
    await expectAccessible(page)
    await page.locator('[autocomplete="cc-number"]').fill(CARDS.approve)
    await page.locator('[autocomplete="cc-exp"]').fill('1234')
    await page.locator('[autocomplete="cc-csc"]').fill('123')
    await page.locator('button[type=submit]').click()
    await expect(async () =>
      expect((await merchant.readLink(link.id)).status).toBe('PAYMENT_SUCCESS'),
    ).toPass()
    await expect(page.locator('h1')).not.toHaveText(BASE['receipt.title'] as string)
    await expectAccessible(page)
  })
}

test('the language menu changes the page and keeps the input', async ({
  checkout,
  merchant,
  page,
}) => {
  const link = await merchant.createLink({ amount: '24.00' })
  await checkout.open(link.url)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Language').focus()
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByLabel('E-Mail')).toHaveValue('ada@example.com')
  await expect(page.locator('button[type=submit]')).toContainText('24,00 €')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.locator('[autocomplete="cc-number"]').fill(CARDS.challenge)
  await page.locator('[autocomplete="cc-exp"]').fill('1234')
  await page.locator('[autocomplete="cc-csc"]').fill('123')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Approve' }).click()
  // After the bank's page the session has the strings it was opened with.
  await expect(page.getByRole('heading', { name: 'Zahlung abgeschlossen' })).toBeVisible()
})

test('hydration formats no text that the server has rendered', async ({
  checkout,
  merchant,
  page,
}) => {
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
  const link = await merchant.createLink({ amount: '24.00' })
  await checkout.open(link.url)
  await expect(page.locator('.delayed')).toHaveCount(0)
  expect(await page.evaluate(() => window.records)).toEqual([])
  await page.getByLabel('Language').focus()
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await expect(page.locator('button[type=submit]')).toContainText('24,00 €')
  expect(await page.evaluate(() => window.records)).toContain('NumberFormat')
})

test('a session keeps its strings through changes and a reload, and a new session gets the new ones', async ({
  merchant,
  page,
  browser,
}) => {
  await merchant.saveStrings('af', { 'methods.title': 'Hoe om te betaal' })
  const link = await merchant.createLink({ amount: '24.00' })
  const opened = page.waitForResponse((response) => response.url().endsWith('/checkouts'))
  await page.goto(`${link.url}?lang=af`)
  await opened
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

test('strings that are much longer are neither cut off nor widen the page', async ({
  merchant,
  page,
}) => {
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
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('button, label, h1, h2, p, legend, span')]
        .filter((element) => {
          const style = getComputedStyle(element)
          const hides = style.overflowX !== 'visible' && style.display !== 'inline'
          return hides && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
        })
        .map((element) => element.outerHTML),
    )
    expect(cut).toEqual([])
  }
})
