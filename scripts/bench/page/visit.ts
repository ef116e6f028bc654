import type { Browser, BrowserContextOptions, CDPSession } from '@playwright/test'
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

/** Visits a page once, with the cookies of `storageState`. Requests to other servers fail, and are counted. */
export async function visit(
  browser: Browser,
  contender: Contender,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    ...(storageState && { storageState }),
  })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const traffic = await watchTraffic(cdp)
  await slowDown(cdp)
  const origin = new URL(contender.url).origin
  await page.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
  await page.addInitScript(watcher(contender))
  await page.goto(contender.url)
  // The page's own policy forbids what Playwright's waiting is made of; asking is allowed.
  while (!(await page.evaluate('window.__seen.done'))) await page.waitForTimeout(100)
  await page.waitForTimeout(SETTLE_MS)
  const seen = await page.evaluate('window.__seen')
  await context.close()
  return { ...(seen as Omit<Visit, 'bytes' | 'requests'>), ...traffic() }
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

/** Runs in the page before anything else does. */
function watcher({ form, alive }: Contender): string {
  return `
    const seen = window.__seen = { firstPaint: 0, formVisible: 0, alive: 0, layoutShift: 0, blocked: 0 }
    const watch = (type, take) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('paint', (e) => { if (e.name === 'first-contentful-paint') seen.firstPaint = e.startTime })
    watch('layout-shift', (e) => { seen.layoutShift += e.value })
    watch('longtask', (e) => { seen.blocked += Math.max(0, e.duration - 50) })
    const look = () => {
      const shown = document.querySelector(${JSON.stringify(form)})
      const painted = seen.firstPaint > 0
      if (!seen.formVisible && shown && painted) seen.formVisible = performance.now()
      if (!seen.alive && shown && (${alive === '' ? 'true' : alive})) seen.alive = performance.now()
      if (seen.formVisible && seen.alive) seen.done = true
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  `
}
