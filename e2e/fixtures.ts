import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  type Response,
  test as base,
} from '@playwright/test'
import type axe from 'axe-core'
import { type ApiResponse, type Call, createHttpClient } from '../test/client.ts'
import { isDeep } from '../test/depth.ts'
import { expectDocumented } from '../test/openapi/expect-documented.ts'
import { CheckoutPage } from './pages/checkout.ts'
import { openSite, pageOf } from './site.ts'

/** The digits of the test card, all or the last four; a port or an id may have the same four among others. */
export const CARD_DIGITS = /(?<!\d)(?:4242[ -]?)+(?!\d)/

export type Options = Record<string, unknown>

/** A payment link, with its merchant's calls to it. */
export interface Link {
  id: string
  url: string
  /** Returns the current record, with the relations that `expand` names. */
  read: (expand?: string) => Promise<ApiResponse['json']>
  change: (paymentLink: Options) => Promise<unknown>
  archive: () => Promise<unknown>
  /** Returns the checkouts of the link, newest first. */
  checkouts: () => Promise<ApiResponse['json'][]>
}

export interface MerchantApi {
  /** `more` are members of the link beside its options. */
  createLink: (options?: Options, more?: Options) => Promise<Link>
  saveStrings: (language: string, strings: Record<string, string>) => Promise<void>
}

/** Calls the merchant's API and returns the body. Throws for a status of an error. */
export type Api = (path: string, call?: Call) => Promise<ApiResponse['json']>

/**
 * The tag of a test that gets a browser context of its own: one that sets an option of the context or
 * its clock, or that needs an empty cache. The other tests of a worker share one.
 */
export const OWN_CONTEXT = '@own-context'

export const test = base.extend<
  { merchant: MerchantApi; checkout: CheckoutPage; openLink: MerchantApi['createLink'] },
  { api: Api; shop: string; shared: { context?: BrowserContext } }
>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const shared: { context?: BrowserContext } = {}
      await use(shared)
      await shared.context?.close()
    },
    { scope: 'worker' },
  ],

  api: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use, { project }) => {
      const client = createHttpClient(project.use.baseURL as string)
      await use(async (path, call) => {
        const { status, text, json } = await client.api(path, call)
        if (status >= 400) throw new Error(text)
        return json
      })
    },
    { scope: 'worker' },
  ],

  // Every response that a page fetches must conform to the OpenAPI document.
  context: async ({ browser, shared, baseURL }, use, { tags }) => {
    const isShared = !tags.includes(OWN_CONTEXT)
    const context = isShared
      ? (shared.context ??= await openSharedContext(browser, baseURL ?? ''))
      : await browser.newContext()
    const [keeper] = context.pages()
    const problems: Promise<string | undefined>[] = []
    const check = (response: Response) => {
      problems.push(checkResponse(response, baseURL ?? '').then(() => undefined, String))
    }
    context.on('response', check)
    await use(context)
    expect((await Promise.all(problems)).filter((problem) => problem !== undefined)).toEqual([])
    context.off('response', check)
    if (!isShared) return context.close()
    const others = context.pages().filter((page) => page !== keeper)
    await Promise.all(others.map((page) => page.close()))
    await context.clearCookies()
  },

  // A server on another origin, as the target of redirects.
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const site = await openSite((_path, response) => response.end(pageOf('Shop')))
      await use(site.url)
      site.close()
    },
    { scope: 'worker' },
  ],

  merchant: async ({ api }, use) => {
    await use({
      createLink: async (options = { amount: '24.00' }, more = {}) => {
        const body = { payment_link: { options, ...more } }
        const { id, url } = (await api('/payment_links', { body })).payment_link
        const path = `/payment_links/${id}`
        const ofLink = encodeURIComponent(`payment_link=${id}`)
        return {
          id,
          url,
          read: async (expand) =>
            (await api(`${path}${expand ? `?expand=${expand}` : ''}`)).payment_link,
          change: (payment_link) => api(path, { method: 'PUT', body: { payment_link } }),
          archive: () => api(path, { method: 'DELETE' }),
          checkouts: async () => (await api(`/checkouts?criteria=${ofLink}`)).checkouts,
        }
      },
      saveStrings: async (language, strings) => {
        const items = Object.entries(strings).map(([id, text]) => ({ id, text, language }))
        await api('/strings', { body: { strings: items } })
      },
    })
  },

  checkout: async ({ page }, use) => {
    // An uncaught error or a violated Content-Security-Policy fails the test.
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted Type/i.test(message.text()))
        problems.push(message.text())
    })
    await use(new CheckoutPage(page))
    expect(problems).toEqual([])
  },

  // Creates a link and opens its page.
  openLink: async ({ checkout, merchant }, use) => {
    await use(async (options, more) => {
      const link = await merchant.createLink(options, more)
      await checkout.open(link.url)
      return link
    })
  },
})

export { expect }

/**
 * Returns a context with one page of the server, which keeps its renderer, cache and compiled scripts.
 * A test in a fresh context takes twice the CPU time.
 */
async function openSharedContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  const keeper = await context.newPage()
  await keeper.goto(`${baseURL}/readyz`)
  return context
}

/** Throws when a response of the server violates the OpenAPI document. */
async function checkResponse(response: Response, baseURL: string): Promise<void> {
  const request = response.request()
  const responseHeaders = response.headers()
  // A response that a test fulfills has no such header.
  const isFromServer = response.url().startsWith(`${baseURL}/`) && 'x-request-id' in responseHeaders
  if (!isFromServer || request.resourceType() !== 'fetch') return
  // A stream has no end.
  if (responseHeaders['content-type'] === 'text/event-stream') return
  // The page that sent the request may be closed.
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return
  expectDocumented({
    method: request.method(),
    path: response.url().slice(baseURL.length),
    requestHeaders: new Headers(request.headers()),
    requestBody: request.postData() ?? '',
    status: response.status(),
    headers: new Headers(responseHeaders),
    text,
  })
}

type ColorScheme = 'light' | 'dark'

/** Minified, because the browser is sent it for each document. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const AXE_OPTIONS = { resultTypes: ['violations'] } satisfies axe.RunOptions

async function findViolations(page: Page): Promise<axe.Result[]> {
  // What still fades would be judged by colors in between.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  )
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page, axeSource: AXE }).options(AXE_OPTIONS)
    return (await builder.analyze()).violations
  }
  // The builder sends its script twice for each analysis, which takes ten times as long as the rules.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  return page.evaluate(async (options) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    return (await run(document, options)).violations
  }, AXE_OPTIONS)
}

/** Expects no axe violations: in one color scheme, in the deep run in both. */
export async function expectAccessible(page: Page, scheme: ColorScheme = 'light'): Promise<void> {
  for (const colorScheme of isDeep ? (['light', 'dark'] as const) : [scheme]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await findViolations(page)
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
}

export { CARDS } from '../test/cards.ts'
