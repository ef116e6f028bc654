import { createServer } from 'node:http'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, type Response, test as base } from '@playwright/test'
import { type Check, createCheck } from '../test/openapi/check.ts'
import { CheckoutPage } from './pages/checkout.ts'

/** The merchant's API calls, with the secret key that the server was started with. */
export interface MerchantApi {
  createLink: (options?: Options, more?: Record<string, unknown>) => Promise<Link>
  changeLink: (id: string, paymentLink: Record<string, unknown>) => Promise<void>
  archiveLink: (id: string) => Promise<void>
  readLink: (id: string, expand?: string) => Promise<Link>
  listCheckouts: (link: string) => Promise<Checkout[]>
  saveStrings: (language: string, strings: Record<string, string>) => Promise<void>
}

export type Options = Record<string, unknown>

export interface Link {
  id: string
  url: string
  status: string
  attempts: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a journey looks into relations freely
  [member: string]: any
}

/** A checkout as the API serializes it. */
export interface Checkout {
  id: string
  status: string
  embedded_origin: string | null
  milestones: Record<string, string | null>
}

const AUTHORIZATION = `Basic ${Buffer.from('sk_test_e2e_4f9c21d07ab83e65c1f2970d8be4a3f6:').toString('base64')}`

export const test = base.extend<
  { merchant: MerchantApi; checkout: CheckoutPage },
  { shop: string; check: Check }
>({
  // Validates a response against the OpenAPI document of the server.
  check: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use, { project }) => {
      const response = await fetch(`${project.use.baseURL}/openapi.json`)
      await use(createCheck((await response.json()) as object))
    },
    { scope: 'worker' },
  ],

  // Every response that a page fetches must conform to the OpenAPI document.
  context: async ({ context, baseURL, check }, use) => {
    const problems: Promise<string | undefined>[] = []
    context.on('response', (response) => {
      problems.push(problemOf(response, baseURL ?? '', check))
    })
    await use(context)
    expect((await Promise.all(problems)).filter((problem) => problem !== undefined)).toEqual([])
  },

  // A server on another origin, as the target of redirects.
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1></html>')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],

  merchant: async ({ baseURL, check }, use) => {
    const send = async (method: string, below: string, body?: unknown) => {
      const path = `/c/api/instances/default${below}`
      const sent = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
      const requestBody = body === undefined ? '' : JSON.stringify(body)
      const response = await fetch(`${baseURL}${path}`, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: requestBody }),
      })
      const { status, headers } = response
      const text = await response.text()
      const requestHeaders = new Headers(sent)
      const problem = check({ method, path, requestHeaders, requestBody, status, headers, text })
      if (problem !== undefined) throw new Error(problem)
      if (!response.ok) throw new Error(text)
      return text
    }
    const call = async (method: string, path: string, payment_link?: unknown) => {
      const body = payment_link === undefined ? undefined : { payment_link }
      const text = await send(method, `/payment_links${path}`, body)
      return (text === '' ? {} : (JSON.parse(text) as { payment_link: Link }).payment_link) as Link
    }
    await use({
      createLink: (options = { amount: '24.00' }, more = {}) =>
        call('POST', '', { options, ...more }),
      changeLink: async (id, change) => void (await call('PUT', `/${id}`, change)),
      archiveLink: async (id) => void (await call('DELETE', `/${id}`)),
      saveStrings: async (language, strings) => {
        const items = Object.entries(strings).map(([id, text]) => ({ id, text, language }))
        await send('POST', '/strings', { strings: items })
      },
      listCheckouts: async (link) => {
        const criteria = encodeURIComponent(`payment_link=${link}`)
        const text = await send('GET', `/checkouts?criteria=${criteria}`)
        return (JSON.parse(text) as { checkouts: Checkout[] }).checkouts
      },
      readLink: (id, expand) => call('GET', `/${id}${expand ? `?expand=${expand}` : ''}`),
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
})

export { expect }

/** Returns how a response violates the OpenAPI document; undefined for a response of another server. */
async function problemOf(
  response: Response,
  baseURL: string,
  check: Check,
): Promise<string | undefined> {
  const request = response.request()
  const responseHeaders = response.headers()
  // A response that a test fulfills has no such header.
  const isFromServer = response.url().startsWith(`${baseURL}/`) && 'x-request-id' in responseHeaders
  if (!isFromServer || request.resourceType() !== 'fetch') return undefined
  // The page that sent the request may be closed.
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return undefined
  return check({
    method: request.method(),
    path: response.url().slice(baseURL.length),
    requestHeaders: new Headers(request.headers()),
    requestBody: request.postData() ?? '',
    status: response.status(),
    headers: new Headers(responseHeaders),
    text,
  })
}

/** Expects no axe violations in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
}

export { CARDS } from '../test/cards.ts'
