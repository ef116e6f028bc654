import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.mjs'
import { SCENES } from './scenes.ts'
import { serveGallery } from './serve.ts'
import { type Picture, writeSheet } from './contact-sheet.ts'
import { LANGUAGES, type Shoot, visit } from './visit.ts'

/**
 * Takes screenshots of every state of the payer's page at two sizes, in two color schemes and three
 * languages, and runs axe on each in English. `npm run gallery -- [part of a name] [language]` selects
 * some. The exit code is 1 when a state violates WCAG 2.2 AA, logs an error, overflows its window,
 * clips its text or is not reached.
 */

const WORKERS = 2

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'dist/gallery')
const [part = '', only] = process.argv.slice(2)

function selectShoots(): Shoot[] {
  return Object.entries(SCENES)
    .filter(([state]) => state.includes(part))
    .flatMap(([state, scene]) =>
      LANGUAGES.filter((language) => only === undefined || language === only).map((language) => ({
        state,
        scene,
        language,
        folder,
      })),
    )
}

async function main(): Promise<number> {
  await mkdir(folder, { recursive: true })
  const executablePath = findChromium(root)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  const shoots = selectShoots()
  const waiting = [...shoots]
  const pictures = new Map<Shoot, Picture[]>()
  let problems = 0
  async function work(): Promise<void> {
    const gallery = await serveGallery()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const made = await visit(browser, gallery, next)
      pictures.set(next, made.pictures)
      problems += made.problems.length
      for (const line of made.problems) console.log(`${next.state} in ${next.language}: ${line}`)
    }
    await gallery.close()
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  await browser.close()
  const inOrder = shoots.flatMap((shoot) => pictures.get(shoot) ?? [])
  console.log(`${await writeSheet(folder, inOrder)}: ${inOrder.length} pictures`)
  console.log(problems === 0 ? 'no problems' : `${problems} problems`)
  return problems === 0 ? 0 : 1
}

process.exitCode = await main()
