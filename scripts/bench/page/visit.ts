import type { Browser, BrowserContextOptions, CDPSession, Page } from '@playwright/test'
import type { Contender } from './contenders.ts'

/** One first visit with an empty cache, on a slow phone: times in ms from the navigation's start. */
export interface Visit {
  bytes: number
  requests: number
  firstPaint: number
  formVisible: number
  alive: number
  layoutShift: number
  blocked: number
}

/** 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
}
const CPU_RATE = 4
const SETTLE_MS = 1_500
export const PHONE = { width: 390, height: 844 }

/** What a browser of the bench is started with: names of other machines are unknown to it. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/**
 * Visits a page once, with the cookies of `storageState` and an empty cache. Requests to other machines fail,
 * and are counted.
 */
export const visit = (
  browser: Browser,
  contender: Contender,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> => visitWith(browser, contender, { storageState })

/** Visits a page once more, when the browser has its files. */
export const visitAgain = (
  browser: Browser,
  contender: Contender,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> => visitWith(browser, contender, { storageState, again: true })

async function visitWith(
  browser: Browser,
  contender: Contender,
  options: { storageState: BrowserContextOptions['storageState']; again?: boolean },
): Promise<Visit> {
  const { storageState, again = false } = options
  const context = await browser.newContext({
    viewport: PHONE,
    ...(storageState && { storageState }),
  })
  const page = await context.newPage()
  await page.addInitScript(watcher(contender))
  const cdp = await context.newCDPSession(page)
  if (again) await open(page, cdp, contender)
  await slowDown(cdp)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: !again })
  const traffic = await watchTraffic(cdp)
  const seen = await open(page, cdp, contender)
  await context.close()
  return { ...seen, ...traffic() }
}

type Seen = Omit<Visit, 'bytes' | 'requests'>

/** Opens a page, and returns what was seen of it when nothing moves any more. */
async function open(page: Page, cdp: CDPSession, { url }: Contender): Promise<Seen> {
  await page.goto(url, { waitUntil: 'commit' })
  // Playwright's own way of asking loads a script into the page, which a slow processor feels.
  const ask = async (expression: string) =>
    (await cdp.send('Runtime.evaluate', { expression, returnByValue: true })).result
      .value as unknown
  while ((await ask('window.__seen?.done')) !== true) await page.waitForTimeout(100)
  await page.waitForTimeout(SETTLE_MS)
  return (await ask('window.__seen')) as Seen
}

/** Makes a page as slow as a bad phone on a bad network. */
export async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
}

async function watchTraffic(cdp: CDPSession) {
  let bytes = 0
  let requests = 0
  await cdp.send('Network.enable')
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests += 1
  })
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => ({ bytes, requests })
}

/**
 * Runs in the page before anything else does. Notes when the browser first shows a text in or beside the form, by the
 * Element Timing API.
 */
function watcher({ form, alive }: Contender): string {
  return `
    const seen = window.__seen = { firstPaint: 0, formVisible: 0, alive: 0, layoutShift: 0, blocked: 0 }
    const watch = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('paint', (e) => { if (e.name === 'first-contentful-paint') seen.firstPaint = e.startTime })
    watch('layout-shift', (e) => { seen.layoutShift += e.value })
    watch('longtask', (e) => { seen.blocked += Math.max(0, e.duration - 50) })
    watch('element', (e) => { seen.formVisible ||= e.renderTime; done() })
    let shown
    const look = () => {
      shown ??= document.querySelector(${JSON.stringify(form)})
      if (shown && !seen.formVisible) {
        const around = shown.labels?.[0] ?? shown
        for (const each of [around, ...around.querySelectorAll('*')])
          if (!each.hasAttribute('elementtiming')) each.setAttribute('elementtiming', 'form')
      }
      if (!seen.alive && shown && (${alive === '' ? 'true' : alive})) seen.alive = performance.now()
      done()
    }
    const done = () => {
      if (!seen.formVisible || !seen.alive || seen.done) return
      seen.done = true
      observer.disconnect()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, attributes: true })
  `
}
