import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.mjs'
import { type Screenshot, writeContactSheet } from '../../widget/gallery/contact-sheet.ts'
import { addressOf, type ConsoleScreen, SCREENS } from './screens.ts'
import { serveShop, type ServedShop, USER } from './serve-shop.ts'

/**
 * Takes screenshots of every screen of the console on a phone and a desktop, light and dark.
 * `npm run gallery:console -- screens` selects some: parts of names, with commas between them. `--docs`
 * writes the pictures of the documentation instead.
 */

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const

const SCHEMES = ['light', 'dark'] as const

/** The pictures of `docs/console.md` and the README. */
const DOCS = ['home', 'links-details', 'payment', 'wording-sentence']

/** The port of `npm start`, which addresses in the pictures name. */
const DOCS_PORT = 4242

/** WebP in this quality is a quarter of a PNG. */
const QUALITY = 0.8

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'dist/gallery-console')
const images = join(root, 'docs/images')

type Size = keyof typeof SIZES
type Scheme = (typeof SCHEMES)[number]

async function main(): Promise<void> {
  const [parts = ''] = process.argv.slice(2)
  const shop = await serveShop(parts === '--docs' ? DOCS_PORT : undefined)
  const executablePath = findChromium(root)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  await mkdir(parts === '--docs' ? images : folder, { recursive: true })
  await (parts === '--docs' ? shootDocs(browser, shop) : shootAll(browser, shop, parts.split(',')))
  await browser.close()
  await shop.close()
}

async function shootAll(browser: Browser, shop: ServedShop, parts: readonly string[]) {
  const screens = SCREENS.filter(({ name }) => parts.some((part) => name.includes(part)))
  if (screens.length === 0) throw new Error(`No screen has a name with ${parts.join(',')}`)
  const screenshots: Screenshot[] = []
  for (const size of ['phone', 'desk'] as const) {
    for (const scheme of SCHEMES) {
      const page = await openPage(browser, shop, size, scheme)
      for (const screen of screens) {
        await openScreen(page, shop, screen)
        const file = `${screen.name}-${size}-${scheme}.png`
        await page.screenshot({ path: join(folder, file) })
        screenshots.push({ state: screen.name, size, scheme, language: 'English', file })
      }
      await page.context().close()
    }
  }
  console.log(`${await writeContactSheet(folder, screenshots)}: ${screenshots.length} screenshots`)
}

async function shootDocs(browser: Browser, shop: ServedShop) {
  for (const name of DOCS) {
    const screen = SCREENS.find((one) => one.name === name)
    if (!screen) throw new Error(`There is no screen ${name}`)
    const page = await openPage(browser, shop, 'desk', 'light')
    await openScreen(page, shop, screen)
    const path = join(images, `console-${name}.webp`)
    await writeFile(path, await asWebp(browser, await page.screenshot()))
    console.log(path)
    await page.context().close()
  }
}

/** Opens a page whose user is signed in, at the time of the shop. */
async function openPage(
  browser: Browser,
  { base, now }: ServedShop,
  size: Size,
  colorScheme: Scheme,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: SIZES[size],
    hasTouch: size === 'phone',
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Paris',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(now())
  await page.goto('/console')
  await page.getByLabel('Email').fill(USER.email)
  await page.getByLabel('Password').fill(USER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('h1').waitFor()
  return page
}

async function openScreen(page: Page, { ids }: ServedShop, screen: ConsoleScreen): Promise<void> {
  await page.goto(addressOf(screen, ids))
  await page.locator('h1').first().waitFor()
  // What is asked for after the first answer.
  await page.waitForTimeout(700)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  for (const frame of await page.locator('iframe').all()) {
    await frame.contentFrame().locator('h1').first().waitFor()
  }
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

/** Returns a PNG as WebP, which browsers write. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const bytes = await page.evaluate(
    async ([data, quality]) => {
      const picture = await createImageBitmap(await (await fetch(data)).blob())
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
      return [...new Uint8Array(await blob.arrayBuffer())]
    },
    [`data:image/png;base64,${png.toString('base64')}`, QUALITY] as const,
  )
  await page.close()
  return Buffer.from(bytes)
}

await main()
// A browser that hangs keeps no process alive.
process.exit(0)
