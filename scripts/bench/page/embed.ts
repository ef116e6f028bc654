import type { Browser } from '@playwright/test'
import type { PageServer } from './contenders.ts'
import { slowDown } from './visit.ts'

/** From a click in a shop until the checkout over it can be typed into, milliseconds. */
export interface Opening {
  /** The payer clicks without having been near. */
  cold: number
  /** The pointer or the focus was there before, and the checkout has loaded. */
  warm: number
}

/** Opens a checkout in a shop twice, each time with an empty cache and on a slow phone. */
export async function openEmbedded(browser: Browser, shop: PageServer): Promise<Opening> {
  return { cold: await open(browser, shop, false), warm: await open(browser, shop, true) }
}

async function open(browser: Browser, shop: PageServer, near: boolean): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await slowDown(await context.newCDPSession(page))
  await page.addInitScript(WATCHER)
  await page.goto(shop.url, { waitUntil: 'load' })
  if (near) {
    await page.locator('a').focus()
    await until('window.__embed.ready > 0')
  }
  await page.locator('a').press('Enter')
  await until('window.__embed.shown > 0')
  const { pressed, shown } = (await page.evaluate('window.__embed')) as typeof RECORD
  await context.close()
  return shown - pressed

  async function until(condition: string): Promise<void> {
    while (!(await page.evaluate(condition))) await page.waitForTimeout(50)
  }
}

const RECORD = { pressed: 0, ready: 0, shown: 0 }

/** The frame posts that it is ready once its script runs; then it only has to be drawn. */
const WATCHER = `
  const record = window.__embed = ${JSON.stringify(RECORD)}
  const drawn = () => {
    if (record.pressed && record.ready && !record.shown)
      requestAnimationFrame(() => requestAnimationFrame(() => { record.shown ||= performance.now() }))
  }
  addEventListener('click', () => { record.pressed = performance.now(); drawn() }, true)
  addEventListener('checkstand:ready', () => { record.ready = performance.now(); drawn() })
`
