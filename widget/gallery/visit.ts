import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Screenshot } from './contact-sheet.ts'
import { enterScene, TIMEOUT_MS } from './enter-scene.ts'
import { localizeScene } from './localize.ts'
import { findOverflow } from './overflow.ts'
import { findShownIds } from './shown-ids.ts'
import type { Scene } from './scene.ts'
import type { Gallery } from './serve.ts'

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
  /** A desktop at 400 % zoom, and the smallest phone. */
  narrow: { width: 320, height: 568 },
} as const

const SCHEMES = ['light', 'dark'] as const

const LOOKS = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desk', 'light'],
  ['desk', 'dark'],
  ['narrow', 'light'],
] as const

/** The longest that a visit may take, whatever the browser waits for. */
const VISIT_MS = 180_000

/** A scene in one language. */
export interface Visit {
  state: string
  scene: Scene
  language: string
  folder: string
  axe: boolean
}

interface VisitResult {
  screenshots: Screenshot[]
  problems: string[]
}

/**
 * Reaches a scene once, takes a screenshot of each look and checks it. Returns what is wrong, also when
 * the browser fails or hangs. Never throws.
 */
export async function visit(
  browser: Browser,
  gallery: Gallery,
  target: Visit,
): Promise<VisitResult> {
  const result: VisitResult = { screenshots: [], problems: [] }
  let context: BrowserContext | undefined
  const work = async () => {
    context = await browser.newContext({
      viewport: SIZES.phone,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Paris',
    })
    context.setDefaultTimeout(TIMEOUT_MS)
    await inspect(await context.newPage(), gallery, target, result)
  }
  try {
    await within(VISIT_MS, work())
  } catch (error) {
    result.problems.push(String(error).split('\n', 1)[0] ?? '')
  }
  // A context whose browser hangs does not close either.
  await within(TIMEOUT_MS, context?.close()).catch(() => {})
  return result
}

async function inspect(
  page: Page,
  gallery: Gallery,
  target: Visit,
  { screenshots, problems }: VisitResult,
): Promise<void> {
  listen(page, problems)
  const scene = localizeScene(target.scene, target.language)
  gallery.show(scene)
  await enterScene(page, gallery.url, scene)
  problems.push(...(await findShownIds(page)))
  for (const [size, scheme] of LOOKS) {
    screenshots.push(await takeScreenshot(page, target, size, scheme))
    if (scheme === 'light') problems.push(...(await overflowAt(page, size)))
  }
  if (target.axe) problems.push(...(await runAxe(page)))
}

/** Rejects when `work` takes longer than `ms` milliseconds. */
async function within<T>(ms: number, work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${ms / 1000} seconds`)), ms)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
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

/** A browser may draw no frame that is out of sight, so it is not waited for longer than a second. */
const nextFrame = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 1_000)
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })

async function overflowAt(page: Page, size: keyof typeof SIZES): Promise<string[]> {
  await page.setViewportSize(SIZES[size])
  return page.evaluate(findOverflow)
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
