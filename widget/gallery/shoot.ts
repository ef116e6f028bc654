import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { findChromium } from '../../setup/chromium.mjs'
import { SCENES } from './scenes.ts'
import type { Scene } from './scenes.ts'
import { serveGallery } from './serve.ts'
import { writeSheet } from './sheet.ts'
import type { Picture } from './sheet.ts'
import { inLanguage } from './speak.ts'

/**
 * Photographs every state of the payer's page on a phone and on a desk, light and dark, in three
 * languages, and lets axe judge each in English. `node widget/gallery/shoot.ts [part of a name]
 * [language]` makes fewer. Ends with 1 when a state breaks a rule of WCAG 2.2 AA, writes to the
 * console, is wider than its window, or cannot be reached.
 */

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const

const SCHEMES = ['light', 'dark'] as const
const LANGUAGES = ['default', 'ar', 'de']
const WORKERS = 2

interface Shot extends Picture {
  scene: Scene
  size: keyof typeof SIZES
  scheme: (typeof SCHEMES)[number]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'dist/gallery')
const [part = '', only] = process.argv.slice(2)

function everyShot(): Shot[] {
  const languages = only === undefined ? LANGUAGES : [only]
  return Object.entries(SCENES)
    .filter(([state]) => state.includes(part))
    .flatMap(([state, scene]) =>
      languages.flatMap((language) =>
        SCHEMES.flatMap((scheme) =>
          (Object.keys(SIZES) as (keyof typeof SIZES)[]).map((size) => ({
            state,
            size,
            scheme,
            language,
            scene,
            file: `${state}.${language}.${size}.${scheme}.png`,
          })),
        ),
      ),
    )
}

async function main(): Promise<number> {
  await mkdir(folder, { recursive: true })
  const executablePath = findChromium(root)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  const shots = everyShot()
  const waiting = [...shots]
  let problems = 0
  async function work(): Promise<void> {
    const gallery = await serveGallery()
    for (let shot = waiting.shift(); shot; shot = waiting.shift()) {
      gallery.show(spoken(shot))
      problems += await photograph(browser, shot, gallery.origin)
    }
    await gallery.close()
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  await browser.close()
  console.log(`${await writeSheet(folder, shots)}: ${shots.length} pictures`)
  console.log(problems === 0 ? 'every state is clean' : `${problems} problems`)
  return problems === 0 ? 0 : 1
}

function spoken({ scene, language }: Shot): Scene {
  if (language === 'default') return scene
  const { current } = scene
  return {
    ...scene,
    model: inLanguage(scene.model, language),
    ...(current === undefined ? {} : { current: inLanguage(current, language) }),
  }
}

async function photograph(browser: Browser, shot: Shot, origin: string): Promise<number> {
  const { scene, size, scheme } = shot
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
  })
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => {
    // A connection that a scene breaks on purpose is reported by the browser itself.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      said.push(message.text())
    }
  })
  page.on('pageerror', (error) => said.push(String(error)))
  try {
    await page.goto(origin)
    await settle(page, scene)
    said.push(...(await judge(page, shot)))
    await page.setViewportSize({ ...SIZES[size], height: await wholeHeight(page, size) })
    await page.screenshot({ path: join(folder, shot.file) })
  } catch (error) {
    said.push(String(error).split('\n', 1)[0] ?? '')
  } finally {
    await context.close()
  }
  for (const line of said) console.log(`${shot.file}: ${line}`)
  return said.length
}

/** High enough for the whole page, so that the bar that stays on a phone stands where it ends. */
async function wholeHeight(page: Page, size: keyof typeof SIZES): Promise<number> {
  const needed = await page.evaluate(() => document.documentElement.scrollHeight)
  return Math.max(needed, SIZES[size].height)
}

async function settle(page: Page, scene: Scene): Promise<void> {
  if (scene.script !== false) await page.waitForSelector('.late', { state: 'detached' })
  await scene.act?.(page)
  if (scene.until) await page.locator(scene.until).first().waitFor({ timeout: 12_000 })
}

async function judge(page: Page, { language }: Shot): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const found = wider > 0 ? [`is ${wider} px wider than its window`] : []
  if (language !== 'default') return found
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const broken = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
  return [...found, ...broken]
}

process.exitCode = await main()
