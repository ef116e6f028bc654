import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page, type TestInfo } from '@playwright/test'
import { CARDS, expect } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { inline, lastDetail, recordedEvents, shopPage } from './pages/shop.ts'
import { test } from './test.ts'

/** Embedded checkouts under the storage settings of browsers. */

const BLOCKED = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } }
const NOTHING_STORED = { profile: { default_content_setting_values: { cookies: 2 } } }
const ALLOWED = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }

/** Opens a page in a separate browser with these preferences. */
async function withPreferences(
  preferences: object,
  info: TestInfo,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-browser-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  let context: BrowserContext | undefined
  try {
    context = await chromium.launchPersistentContext(folder, info.project.use.launchOptions)
    await act(context.pages()[0] ?? (await context.newPage()))
  } finally {
    await context?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const [name, preferences] of [
  ['third-party cookies', BLOCKED],
  ['everything that pages store', NOTHING_STORED],
] as const) {
  test(
    `a payment succeeds in a browser that blocks ${name}, with a bank redirect too`,
    { tag: '@deep' },
    async ({ embedScript, front, merchant }, info) => {
      const [one, two] = [await merchant.createLink(), await merchant.createLink()]
      await withPreferences(preferences, info, async (page) => {
        const checkout = new EmbeddedCheckout(page)
        await page.goto(front.origin + front.page(shopPage(embedScript + inline(one))))
        await expect(checkout.payButton).toBeVisible()
        expect(await checkout.storageIsBlocked()).toBe(true)
        await checkout.payToReceipt()
        await page.goto(front.origin + front.page(shopPage(embedScript + inline(two))))
        await checkout.pay(CARDS.challenge)
        await checkout.answerBank('Approve')
        await expect(checkout.receipt).toBeVisible()
        const complete = () => lastDetail(page, 'complete')
        await expect.poll(complete).toMatchObject({ payment_link: two.id })
      })
    },
  )
}

test(
  'with storage, a reload of the shop keeps the session and emits no event twice',
  { tag: '@deep' },
  async ({ embedScript, front, merchant }, info) => {
    const link = await merchant.createLink()
    await withPreferences(ALLOWED, info, async (page) => {
      const checkout = new EmbeddedCheckout(page)
      await page.goto(front.origin + front.page(shopPage(embedScript + inline(link))))
      await expect.poll(async () => (await link.checkouts()).length).toBe(1)
      expect(await checkout.storageIsBlocked()).toBe(false)
      await page.reload()
      await checkout.pay(CARDS.challenge)
      await checkout.answerBank('Approve')
      await expect(checkout.receipt).toBeVisible()
      await expect.poll(() => lastDetail(page, 'complete')).toBeDefined()
      expect(await link.checkouts()).toHaveLength(1)
      await page.reload()
      await expect(checkout.receipt).toBeVisible()
      await expect.poll(() => lastDetail(page, 'status')).toEqual({ status: 'COMPLETED' })
      expect((await recordedEvents(page)).map(({ type }) => type)).not.toContain('complete')
    })
  },
)

test(
  'with storage, a shop can change the language',
  { tag: '@deep' },
  async ({ embedScript, front, merchant }, info) => {
    const link = await merchant.createLink()
    await withPreferences(ALLOWED, info, async (page) => {
      await page.goto(front.origin + front.page(shopPage(`${embedScript}<div id="place"></div>`)))
      await page.waitForFunction(() => 'Checkstand' in window)
      await page.evaluate((id) => {
        window.shop = window.Checkstand!.mount('#place', { link: id, language: 'fr' })
      }, link.id)
      const html = new EmbeddedCheckout(page).place.locator('html')
      await expect.poll(async () => (await link.checkouts()).length).toBe(1)
      await expect(html).toHaveAttribute('lang', 'fr')
      await page.evaluate(() => window.shop.update({ language: 'de' }))
      await expect.poll(async () => (await link.checkouts()).length).toBe(2)
      await expect(html).toHaveAttribute('lang', 'de')
    })
  },
)
