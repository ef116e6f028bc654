import { createServer, type Server } from 'node:http'
import { test as base } from './fixtures.ts'

/** A merchant's website, cross-site to the payment server. */
export interface ShopFront {
  /** One of the instance's allowed origins. */
  origin: string
  /** The same server under an origin that may not frame the payment page. */
  forbiddenOrigin: string
  /** Adds a page and returns its path. */
  page: (html: string, headers?: Record<string, string>) => string
  /** Adds a script and returns its path. */
  script: (text: string) => string
}

interface Content {
  type: string
  text: string
  headers: Record<string, string>
}

const WORKERS_MAX = 8

/** The port of a shop: one for each worker, then those of the examples. */
export function shopPort(index: number): number {
  return Number(process.env['CHECKSTAND_E2E_PORT']) + 1 + index
}

export const EXAMPLES = { shop: WORKERS_MAX, react: WORKERS_MAX + 1 }

/** Tests with a shop; third-party cookies and storage are blocked, as in Incognito. */
export const test = base.extend<{ embedScript: string }, { front: ShopFront }>({
  front: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use, { parallelIndex }) => {
      const shops = Array.from({ length: WORKERS_MAX + 2 }, (_, index) => index)
      await allowOrigins(shops.map((index) => `http://127.0.0.1:${shopPort(index)}`))
      const port = shopPort(parallelIndex)
      const served = new Map<string, Content>()
      const server = createServer((request, response) => {
        const content = served.get((request.url ?? '').split('?', 1)[0] ?? '')
        response.writeHead(content ? 200 : 404, {
          'content-type': `${content?.type ?? 'text/html'}; charset=utf-8`,
          ...content?.headers,
        })
        response.end(content?.text ?? '<!doctype html><html lang="en"><title>Shop</title>')
      })
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      const serve = (extension: string, what: Content) => {
        const path = `/${served.size + 1}${extension}`
        served.set(path, what)
        return path
      }
      await use({
        origin: `http://127.0.0.1:${port}`,
        forbiddenOrigin: `http://localhost:${port}`,
        page: (text, headers = {}) => serve('', { type: 'text/html', text, headers }),
        script: (text) => serve('.js', { type: 'text/javascript', text, headers: {} }),
      })
      close(server)
    },
    { scope: 'worker' },
  ],

  embedScript: async ({ baseURL }, use) =>
    use(`<script src="${baseURL}/widget.js" async></script>`),
})

async function allowOrigins(allowed_origins: string[]): Promise<void> {
  const key = Buffer.from('sk_test_e2e_4f9c21d07ab83e65c1f2970d8be4a3f6:').toString('base64')
  const port = process.env['CHECKSTAND_E2E_PORT']
  const response = await fetch(`http://localhost:${port}/c/api/instances/default`, {
    method: 'PUT',
    headers: { authorization: `Basic ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instance: { allowed_origins } }),
  })
  if (!response.ok) throw new Error(await response.text())
}

function close(server: Server): void {
  server.closeAllConnections()
  server.close()
}
