import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.mjs'
import { type Screenshot, writeContactSheet } from './contact-sheet.ts'
import { ALL_LANGUAGES } from './localize.ts'
import { SCENES } from './scenes.ts'
import { serveGallery } from './serve.ts'
import { type Visit, visit } from './visit.ts'

/**
 * Takes screenshots of every state of the payer's page on a phone and a desktop, light and dark, and at
 * 320 px, in three languages, and runs axe on each in English. `npm run gallery -- states languages`
 * selects some: `states` are parts of names, and `languages` are codes or `all`, both with commas
 * between them. Axe then runs in each of the languages. The exit code is 1 when a state violates WCAG 2.2
 * AA, logs an error, overflows its window, clips its text or is not reached.
 */

const WORKERS = 2
const SHORT = ['default', 'ar', 'de']

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'dist/gallery')
const [parts = '', named] = process.argv.slice(2)

function selectVisits(): Visit[] {
  const languages = named === 'all' ? ALL_LANGUAGES : (named?.split(',') ?? SHORT)
  const unknown = languages.filter((language) => !ALL_LANGUAGES.includes(language))
  if (unknown.length > 0) throw new Error(`Unknown languages: ${unknown.join(', ')}`)
  const visits = Object.entries(SCENES)
    .filter(([state]) => parts.split(',').some((part) => state.includes(part)))
    .flatMap(([state, scene]) =>
      languages.map((language) => {
        const axe = language === 'default' || named !== undefined
        return { state, scene, language, folder, axe }
      }),
    )
  if (visits.length === 0) throw new Error(`No state has a name with ${parts}`)
  return visits
}

async function main(): Promise<number> {
  const visits = selectVisits()
  await mkdir(folder, { recursive: true })
  const executablePath = findChromium(root)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  const queue = [...visits]
  const byVisit = new Map<Visit, Screenshot[]>()
  let problems = 0
  async function work(): Promise<void> {
    const gallery = await serveGallery()
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await visit(browser, gallery, next)
      byVisit.set(next, result.screenshots)
      problems += result.problems.length
      const { state, language } = next
      console.log(`[${byVisit.size}/${visits.length}] ${state} in ${language}`)
      for (const line of result.problems) console.log(`  ${line}`)
    }
    await gallery.close()
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  const screenshots = visits.flatMap((each) => byVisit.get(each) ?? [])
  console.log(`${await writeContactSheet(folder, screenshots)}: ${screenshots.length} screenshots`)
  console.log(problems === 0 ? 'no problems' : `${problems} problems`)
  await browser.close()
  return problems === 0 ? 0 : 1
}

// A browser that hangs keeps no process alive.
process.exit(await main())
