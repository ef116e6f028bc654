import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.mjs'
import { SCENES } from './scenes.ts'
import { serveGallery } from './serve.ts'
import { type Screenshot, writeContactSheet } from './contact-sheet.ts'
import { LANGUAGES, type Visit, visit } from './visit.ts'

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

function selectVisits(): Visit[] {
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
  const visits = selectVisits()
  const queue = [...visits]
  const byVisit = new Map<Visit, Screenshot[]>()
  let problems = 0
  async function work(): Promise<void> {
    const gallery = await serveGallery()
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await visit(browser, gallery, next)
      byVisit.set(next, result.screenshots)
      problems += result.problems.length
      for (const line of result.problems) console.log(`${next.state} in ${next.language}: ${line}`)
    }
    await gallery.close()
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  await browser.close()
  const screenshots = visits.flatMap((each) => byVisit.get(each) ?? [])
  console.log(`${await writeContactSheet(folder, screenshots)}: ${screenshots.length} screenshots`)
  console.log(problems === 0 ? 'no problems' : `${problems} problems`)
  return problems === 0 ? 0 : 1
}

process.exitCode = await main()
