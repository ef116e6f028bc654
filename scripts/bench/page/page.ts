import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findHeadlessShell } from '../../chromium.mjs'
import { adyenDropIn, ownPage, plainForm } from './contenders.ts'
import { openEmbedded, type Opening } from './embed.ts'
import { percentile } from '../percentile.ts'
import { BROWSER_ARGS, visit, type Visit } from './visit.ts'

/**
 * How soon a payer on a slow phone sees the form and can use it: our page beside the same form
 * without a script, and beside Adyen's Drop-in, which is installed into a temporary folder.
 * `--own` leaves the Drop-in out. The contenders take turns, so that what else the machine does
 * falls on all of them.
 */

const ROUNDS = 7
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-page-'))
// A browser with windows loads its own pages beside ours, and takes both cores for a second.
const executablePath = findHeadlessShell(root)
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: BROWSER_ARGS,
})
const own = await ownPage(folder)
const contenders = [own, await plainForm(own)]
if (!process.argv.includes('--own')) contenders.push(await adyenDropIn(folder))

const visits = new Map(contenders.map((contender) => [contender, [] as Visit[]]))
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [contender, made] of visits) made.push(await visit(browser, contender))
}
console.log(`Medians of ${ROUNDS} first visits: slow 4G, processor slowed four times\n`)
console.table(Object.fromEntries([...visits].map(([{ name }, made]) => [name, summary(made)])))
const openings: Opening[] = []
for (let round = 0; round < ROUNDS; round += 1) openings.push(await openEmbedded(browser, own.shop))
const middle = (take: (opening: Opening) => number) =>
  Math.round(percentile(openings.map(take), 0.5))
console.log(
  `\nembedded, from the click until it can be typed into: ${middle(({ cold }) => cold)} ms, ` +
    `${middle(({ warm }) => warm)} ms when the pointer was near before`,
)
own.shop.close()
for (const { close } of contenders) close()
await browser.close()
rmSync(folder, { recursive: true, force: true })

function summary(made: Visit[]) {
  const of = (take: (visit: Visit) => number) => percentile(made.map(take), 0.5)
  return {
    'kB, with headers': Number((of(({ bytes }) => bytes) / 1000).toFixed(1)),
    requests: of(({ requests }) => requests),
    'first paint ms': Math.round(of(({ firstPaint }) => firstPaint)),
    'form visible ms': Math.round(of(({ formVisible }) => formVisible)),
    'alive ms': Math.round(of(({ alive }) => alive)),
    'layout shift': Number(of(({ layoutShift }) => layoutShift).toFixed(3)),
    'blocked ms': Math.round(of(({ blocked }) => blocked)),
  }
}
