import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { type PageOrFrame, type Scene, START_TIME } from './scene.ts'
import type { Gallery } from './serve.ts'
import type { Screenshot } from './contact-sheet.ts'
import { inLanguage } from './localize.ts'

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const

const SCHEMES = ['light', 'dark'] as const

export const LANGUAGES = ['default', 'ar', 'de']

/** CSS pixels: a window of 1280 pixels at 400 % zoom. */
const NARROW = 320
const TIMEOUT_MS = 20_000

/** A scene in one language, for four screenshots. */
export interface Visit {
  state: string
  scene: Scene
  language: string
  folder: string
}

interface VisitResult {
  screenshots: Screenshot[]
  problems: string[]
}

/** Reaches a scene once and takes a screenshot of each size and scheme. Never throws. */
export async function visit(
  browser: Browser,
  gallery: Gallery,
  target: Visit,
): Promise<VisitResult> {
  const context = await browser.newContext({
    viewport: SIZES.phone,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const problems: string[] = []
  const screenshots: Screenshot[] = []
  try {
    const page = await context.newPage()
    listen(page, problems)
    const scene = localizedScene(target)
    gallery.show(scene)
    await enterScene(page, gallery.url, scene)
    for (const size of ['phone', 'desk'] as const) {
      for (const scheme of SCHEMES)
        screenshots.push(await takeScreenshot(page, target, size, scheme))
      problems.push(...(await overflowAt(page, SIZES[size].width)))
    }
    if (target.language === 'default') problems.push(...(await runAxe(page)))
    problems.push(...(await overflowAt(page, NARROW)))
  } catch (error) {
    problems.push(String(error).split('\n', 1)[0] ?? '')
  } finally {
    await context.close()
  }
  return { screenshots, problems }
}

function localizedScene({ scene, language }: Visit): Scene {
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
    // The browser logs the connections that a scene breaks.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      problems.push(message.text())
    }
  })
  page.on('pageerror', (error) => problems.push(String(error)))
}

/** Brings the page into the state of a scene. */
export async function enterScene(page: Page, url: string, scene: Scene): Promise<void> {
  if (scene.advanceMs) await page.clock.install({ time: START_TIME })
  await page.goto(url)
  if (scene.framed === 'overlay') await page.locator('.buy').click()
  const place = scene.framed ? page.frameLocator('iframe') : page
  if (scene.script === undefined) await place.locator('.delayed').waitFor({ state: 'detached' })
  await scene.act?.(place)
  if (scene.until === undefined) await place.locator('h1').first().waitFor()
  else if (scene.advanceMs) await runUntil(page, place, scene)
  // Delayed notices appear at once.
  await page.evaluate(finishAnimations)
  if (scene.until !== undefined) await place.locator(scene.until).first().waitFor()
}

function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    const ends = Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))
    if (ends) animation.finish()
  }
}

/** Advances the page's timers; requests take real time. */
async function runUntil(
  page: Page,
  place: PageOrFrame,
  { until = '', advanceMs = 0 }: Scene,
): Promise<void> {
  const end = Date.now() + TIMEOUT_MS
  while (!(await place.locator(until).first().isVisible()) && Date.now() < end) {
    await page.clock.runFor(advanceMs)
  }
}

async function takeScreenshot(
  page: Page,
  { state, language, folder }: Visit,
  size: keyof typeof SIZES,
  scheme: (typeof SCHEMES)[number],
): Promise<Screenshot> {
  const file = `${state}.${language}.${size}.${scheme}.png`
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize(SIZES[size])
  // As high as the page, so that the sticky bar of a phone is at its end.
  const needed = await page.evaluate(() => document.documentElement.scrollHeight)
  const height = Math.max(needed, SIZES[size].height)
  await page.setViewportSize({ width: SIZES[size].width, height })
  // A frame renders after its page, and the page again with the height of the frame.
  for (const frame of [...page.frames(), ...page.frames()]) await frame.evaluate(nextFrame)
  await page.screenshot({ path: join(folder, file) })
  return { state, size, scheme, language, file }
}

const nextFrame = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

async function overflowAt(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: SIZES.phone.height })
  return page.evaluate(findOverflow)
}

/** Returns what overflows the window or is clipped by its box. Runs in the page. */
export function findOverflow(): string[] {
  const clipped = [
    ...document.querySelectorAll('button, label, h1, h2, p, legend, span, dd, a, select'),
  ].filter((element) => {
    const { overflowX, display } = getComputedStyle(element)
    const clips = overflowX !== 'visible' && display !== 'inline'
    return clips && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
  })
  const wider = document.documentElement.scrollWidth - innerWidth
  return [
    ...(wider > 0 ? [`is ${wider} px wider than a window of ${innerWidth} px`] : []),
    ...clipped.map(
      ({ outerHTML }) => `clips its text at ${innerWidth} px: ${outerHTML.slice(0, 80)}`,
    ),
  ]
}

async function runAxe(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page })
      // Documents of the processor, whose color scheme axe takes for that of the page.
      .exclude('.framed iframe')
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    for (const { id, nodes } of violations) {
      found.push(`${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    }
  }
  return found
}
