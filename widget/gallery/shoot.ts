import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { SCENES } from './scenes.ts'
import type { Scene } from './scenes.ts'
import { serveGallery } from './serve.ts'

/**
 * Photographs every state of the payer's page on a phone and on a desk, light and dark, and lets
 * axe judge each. Usage: `node widget/gallery/shoot.ts [folder] [part of a name]`. Ends with 1
 * when a state breaks a rule of WCAG 2.2 AA, writes to the console, or cannot be reached.
 */

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const

const [folder = 'dist/gallery', part = ''] = process.argv.slice(2)

async function main(): Promise<number> {
  await mkdir(folder, { recursive: true })
  const gallery = await serveGallery(SCENES)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  let problems = 0
  try {
    for (const [name, scene] of Object.entries(SCENES)) {
      if (!name.includes(part)) continue
      for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const shot = { name, scene, size, colorScheme, origin: gallery.origin }
          problems += await photograph(browser, shot)
        }
      }
    }
  } finally {
    await browser.close()
    await gallery.close()
  }
  console.log(problems === 0 ? 'every state is clean' : `${problems} problems`)
  return problems === 0 ? 0 : 1
}

interface Shot {
  name: string
  scene: Scene
  size: keyof typeof SIZES
  colorScheme: 'light' | 'dark'
  origin: string
}

async function photograph(browser: Browser, shot: Shot): Promise<number> {
  const { name, scene, size, colorScheme } = shot
  const label = `${name} (${size}, ${colorScheme})`
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme,
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
    await page.goto(`${shot.origin}/${name}`)
    await settle(page, scene)
    const file = join(folder, `${name}.${size}.${colorScheme}.png`)
    await page.screenshot({ path: file, fullPage: true })
    said.push(...(await judge(page)))
  } catch (error) {
    said.push(String(error).split('\n', 1)[0] ?? '')
  } finally {
    await context.close()
  }
  for (const line of said) console.log(`${label}: ${line}`)
  return said.length
}

async function settle(page: Page, scene: Scene): Promise<void> {
  if (scene.script !== false) await page.waitForSelector('.late', { state: 'detached' })
  await scene.act?.(page)
  if (scene.until) {
    await page.locator(scene.until).first().waitFor({ timeout: 12_000 })
  }
}

async function judge(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

process.exitCode = await main()
