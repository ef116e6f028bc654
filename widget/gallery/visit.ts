import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { type Place, type Scene, THEN } from './scene.ts'
import type { Gallery } from './serve.ts'
import type { Picture } from './contact-sheet.ts'
import { inLanguage } from './localize.ts'

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const

const SCHEMES = ['light', 'dark'] as const

export const LANGUAGES = ['default', 'ar', 'de']

/** CSS pixels; 1280 of them at 400 %. */
const NARROW = 320
/** Nothing of a scene takes this long, so that a run that cannot end does. */
const PATIENCE_MS = 20_000

/** One scene in one language, of which four pictures are made. */
export interface Sitting {
  state: string
  scene: Scene
  language: string
  folder: string
}

interface Made {
  pictures: Picture[]
  problems: string[]
}

/** Visits a scene once and photographs it in every size and scheme. Never throws. */
export async function visit(browser: Browser, gallery: Gallery, sitting: Sitting): Promise<Made> {
  const context = await browser.newContext({
    viewport: SIZES.phone,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const problems: string[] = []
  const pictures: Picture[] = []
  try {
    const page = await context.newPage()
    listen(page, problems)
    const scene = spoken(sitting)
    gallery.show(scene)
    await reach(page, gallery.url, scene)
    for (const size of ['phone', 'desk'] as const) {
      for (const scheme of SCHEMES) pictures.push(await photograph(page, sitting, size, scheme))
      problems.push(...(await measure(page, SIZES[size].width)))
    }
    if (sitting.language === 'default') problems.push(...(await judge(page)))
    problems.push(...(await measure(page, NARROW)))
  } catch (error) {
    problems.push(String(error).split('\n', 1)[0] ?? '')
  } finally {
    await context.close()
  }
  return { pictures, problems }
}

function spoken({ scene, language }: Sitting): Scene {
  if (language === 'default') return scene
  const { current } = scene
  return {
    ...scene,
    model: inLanguage(scene.model, language),
    ...(current === undefined ? {} : { current: inLanguage(current, language) }),
  }
}

function listen(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    // A connection that a scene breaks on purpose is reported by the browser itself.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      problems.push(message.text())
    }
  })
  page.on('pageerror', (error) => problems.push(String(error)))
}

/** Brings the page to the state of a scene. */
export async function reach(page: Page, url: string, scene: Scene): Promise<void> {
  if (scene.later) await page.clock.install({ time: THEN })
  await page.goto(url)
  if (scene.framed === 'overlay') await page.locator('.buy').click()
  const place = scene.framed ? page.frameLocator('iframe') : page
  if (scene.script === undefined) await place.locator('.late').waitFor({ state: 'detached' })
  await scene.act?.(place)
  if (scene.until === undefined) await place.locator('h1').first().waitFor()
  else if (scene.later) await runUntil(page, place, scene)
  // What comes out by itself after some seconds need not be waited for.
  await page.evaluate(finishAnimations)
  if (scene.until !== undefined) await place.locator(scene.until).first().waitFor()
}

function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    const ends = Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))
    if (ends) animation.finish()
  }
}

/** Whatever the page waits for comes at once; what it asks of the server takes its time. */
async function runUntil(page: Page, place: Place, { until = '', later = 0 }: Scene): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await place.locator(until).first().isVisible()) && Date.now() < end) {
    await page.clock.runFor(later)
  }
}

async function photograph(
  page: Page,
  { state, language, folder }: Sitting,
  size: keyof typeof SIZES,
  scheme: (typeof SCHEMES)[number],
): Promise<Picture> {
  const file = `${state}.${language}.${size}.${scheme}.png`
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize(SIZES[size])
  // High enough for the whole page, so that the bar that stays on a phone stands where it ends.
  const needed = await page.evaluate(() => document.documentElement.scrollHeight)
  const height = Math.max(needed, SIZES[size].height)
  await page.setViewportSize({ width: SIZES[size].width, height })
  // A frame draws after its page, and the page once more when it hears how high the frame is.
  for (const frame of [...page.frames(), ...page.frames()]) await frame.evaluate(nextDrawing)
  await page.screenshot({ path: join(folder, file) })
  return { state, size, scheme, language, file }
}

const nextDrawing = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** What is wider than a window of this width, or than the box that cuts it. */
async function measure(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: SIZES.phone.height })
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('button, label, h1, h2, p, legend, span, dd, select')]
      .filter((element) => {
        const { overflowX, display } = getComputedStyle(element)
        const cuts = overflowX !== 'visible' && display !== 'inline'
        return cuts && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  )
  const said = cut.map((element) => `cuts its words at ${width} px: ${element}`)
  return wider > 0 ? [`is ${wider} px wider than a window of ${width} px`, ...said] : said
}

async function judge(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    for (const { id, nodes } of violations) {
      found.push(`${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    }
  }
  return found
}
