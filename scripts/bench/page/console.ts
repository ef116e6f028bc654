import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { createHttpClient } from '../../../test/client.ts'
import { newLink } from '../../../test/payer-client.ts'
import { startProgram } from '../../../test/program.ts'
import { findHeadlessShell } from '../../chromium.mjs'
import { UNLIMITED } from '../merchant.ts'
import { percentile } from '../percentile.ts'
import { plainCopy } from './contenders.ts'
import { BROWSER_ARGS, PHONE, visit, visitAgain, type Visit } from './visit.ts'

/**
 * How soon a merchant on a slow phone can use a list of the console, and what a list of 50 rows takes to
 * draw once its answer is there; and how soon the page shows what is typed into one of its sentences.
 */

const ROUNDS = 7
/** How often a list is paged: a person who works in lists does it all day. */
const PAGES = 32
const LINKS = 120
const ROW = 'tr[data-row]'
const DESK = { width: 1280, height: 800 }
const TYPED = 'Reservation of one place for the workshop in spring at the sea '.split('')
const ADMIN = { email: 'ada@shop.example', password: 'correct horse battery' }

/**
 * Notes in `rowTimes` the ms from a click until the rows of another page are in the table and laid out, which
 * reading `offsetHeight` brings about. The answer is in the cache; the frame that paints them comes on top.
 */
const TIME_ROWS = `
  var rowTimes = []
  let began
  addEventListener('click', () => { began = performance.now() }, { capture: true })
  new MutationObserver(() => {
    if (began === undefined) return
    document.body.offsetHeight
    rowTimes.push(performance.now() - began)
    began = undefined
  }).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-row'],
  })`

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-console-'))
const program = await startProgram(`file:${folder}/console.db`, {
  ...UNLIMITED,
  CHECKSTAND_ADMIN_EMAIL: ADMIN.email,
  CHECKSTAND_ADMIN_PASSWORD: ADMIN.password,
})
const merchant = createHttpClient(program.base)
for (let at = 0; at < LINKS; at += 1) {
  await newLink(merchant, { amount: `${at + 1}.00`, name: `Order ${at}` })
}
// A browser with windows loads its own pages beside ours, and takes both cores for a second.
const executablePath = findHeadlessShell(root)
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: BROWSER_ARGS,
})
const links = `${program.base}/console/default/links`
const list = { name: 'Links', url: links, form: ROW, alive: '', close: () => {} }
const state = await signIn(browser)

const copy = await copyList(browser)
const visits: Visit[] = []
const again: Visit[] = []
const copyVisits: Visit[] = []
const copyAgain: Visit[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  visits.push(await visit(browser, list, state))
  again.push(await visitAgain(browser, list, state))
  copyVisits.push(await visit(browser, copy))
  copyAgain.push(await visitAgain(browser, copy))
}
copy.close()
const drawn = await drawList(browser)
const keystrokes = await typeSentence(browser)
const of = (values: number[], share = 0.5) => Math.round(percentile(values, share) * 10) / 10
console.log(
  `Medians of ${ROUNDS} visits of the list of links: slow 4G, processor slowed four times\n`,
)
console.table({
  'kB, with headers': of(visits.map(({ bytes }) => bytes / 1000)),
  requests: of(visits.map(({ requests }) => requests)),
  'first paint ms': of(visits.map(({ firstPaint }) => firstPaint)),
  'usable list ms': of(visits.map(({ formVisible }) => formVisible)),
  'usable list ms, files in the cache': of(again.map(({ formVisible }) => formVisible)),
  'the same without script: visible list ms': of(copyVisits.map(({ formVisible }) => formVisible)),
  'the same without script, files in the cache': of(
    copyAgain.map(({ formVisible }) => formVisible),
  ),
  'layout shift': of(visits.map(({ layoutShift }) => layoutShift)),
  '50 rows ms, from the click until they are laid out, not slowed': of(drawn.rows.slice(-8)),
  '50 rows ms, the first pages, before the browser has compiled what draws them': of(
    drawn.rows.slice(0, 8),
  ),
  'the whole screen drawn ms, script, styles and layout, not slowed': of(drawn.work),
  'route change ms, answer in the cache, not slowed': of(drawn.change),
  'keystroke in a sentence until the page is drawn ms, 95th percentile, not slowed': of(
    keystrokes,
    0.95,
  ),
})
await browser.close()
program.process.kill()
rmSync(folder, { recursive: true, force: true })

async function signIn(from: Browser) {
  const context = await from.newContext()
  const page = await context.newPage()
  await page.goto(links)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator(ROW).first().waitFor()
  const stored = await context.storageState()
  await context.close()
  return stored
}

/** The list as a document without script, on a phone. */
async function copyList(from: Browser) {
  const context = await from.newContext({ storageState: state, viewport: PHONE })
  const copied = await plainCopy(await context.newPage(), list)
  await context.close()
  return copied
}

/**
 * Types into a sentence of the wording. Returns, for each key, ms from the press until the frame has drawn
 * the page with it.
 */
async function typeSentence(from: Browser): Promise<number[]> {
  const context = await from.newContext({ storageState: state, viewport: DESK })
  const page = await context.newPage()
  await page.goto(`${program.base}/console/default/wording?id=checkout.pay&lang=fr`)
  const field = page.getByRole('textbox', { name: 'Text' })
  await field.fill('Payer {amount}')
  // What the screen loads and looks for in the background comes first.
  await page.waitForTimeout(3000)
  const clock = 'performance.timeOrigin + performance.now()'
  await page.evaluate(`
    globalThis.pressed = []
    addEventListener('keydown', () => pressed.push(${clock}), true)
  `)
  const frame = page.frame({ url: /preview/ })
  if (!frame) throw new Error('The screen shows no page')
  await frame.evaluate(`
    globalThis.drawn = []
    new MutationObserver(() => drawn.push(${clock}))
      .observe(document.getElementById('checkout'), { subtree: true, childList: true, characterData: true })
  `)
  await field.press('Home')
  for (const letter of TYPED) {
    await field.press(letter)
    await page.waitForTimeout(60)
  }
  const pressed = await page.evaluate<number[]>('pressed')
  const drawn = await frame.evaluate<number[]>('drawn')
  await context.close()
  return pressed.slice(1).map((at) => (drawn.find((each) => each > at) ?? Infinity) - at)
}

/**
 * Goes to another screen and back to the list, whose answer is in the cache by then; and from one page of the list to
 * the other.
 */
async function drawList(
  from: Browser,
): Promise<{ work: number[]; change: number[]; rows: number[] }> {
  const context = await from.newContext({ storageState: state })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  await page.goto(links)
  await page.locator(ROW).first().waitFor()
  const work: number[] = []
  const change: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.locator('nav a[href$="/payments"]').first().click()
    await page.locator(ROW).first().waitFor({ state: 'detached' })
    await page.waitForTimeout(500)
    const before = await workOf(cdp)
    change.push(await clickAndDraw(page, undefined))
    work.push((await workOf(cdp)) - before)
  }
  await page.evaluate(TIME_ROWS)
  for (let round = 0; round < PAGES; round += 1) {
    await clickAndDraw(page, round % 2 === 0 ? 'Next page' : 'Previous page')
    await page.waitForTimeout(200)
  }
  const rows = await page.evaluate<number[]>('rowTimes')
  await context.close()
  return { work, change, rows }
}

/** Returns ms from a click on a button, or on Links, to the frame that shows other rows. */
function clickAndDraw(page: Page, button: string | undefined): Promise<number> {
  const pressed = button === undefined ? 'nav a[href$="/links"]' : `[aria-label="${button}"]`
  return page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    const first = () => document.querySelector(${JSON.stringify(ROW)})?.dataset.row
    const before = first()
    const look = () =>
      first() !== undefined && first() !== before
        ? requestAnimationFrame(() => resolve(performance.now() - began))
        : requestAnimationFrame(look)
    document.querySelector(${JSON.stringify(pressed)}).click()
    requestAnimationFrame(look)
  })`)
}

/** Milliseconds that the page has spent on scripts, styles and layout. */
async function workOf(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const taken = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
  return (
    metrics.reduce((sum, { name, value }) => sum + (taken.includes(name) ? value : 0), 0) * 1000
  )
}
