import { type Link, type Options, test as base } from './fixtures.ts'
import { EmbeddedCheckout } from './pages/embedded.ts'
import { inline, shopPage } from './pages/shop.ts'
import { openSite, pageOf } from './site.ts'

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

interface ShopVisit {
  embedScript: string
  /** Opens a shop's page with the embed script and this content. */
  visit: (content: string, head?: string) => Promise<void>
  /** Creates a link and opens a shop's page that embeds it. */
  embed: (options?: Options, content?: (link: Link) => string) => Promise<Link>
  /** The first checkout of the shop's page. */
  framed: EmbeddedCheckout
}

const WORKERS_MAX = 8

/** The port of a shop: one for each worker, then those of the examples. */
export function shopPort(index: number): number {
  return Number(process.env['CHECKSTAND_E2E_PORT']) + 1 + index
}

export const EXAMPLES = { shop: WORKERS_MAX, react: WORKERS_MAX + 1 }

/** Tests with a shop; third-party cookies and storage are blocked, as in Incognito. */
export const test = base.extend<ShopVisit, { front: ShopFront }>({
  front: [
    async ({ api }, use, { parallelIndex }) => {
      const shops = Array.from({ length: WORKERS_MAX + 2 }, (_, index) => index)
      const allowed_origins = shops.map((index) => `http://127.0.0.1:${shopPort(index)}`)
      await api('', { method: 'PUT', body: { instance: { allowed_origins } } })
      const port = shopPort(parallelIndex)
      const served = new Map<string, { text: string; headers: Record<string, string> }>()
      const site = await openSite((url, response) => {
        const content = served.get(url.split('?', 1)[0] ?? '')
        response.writeHead(content ? 200 : 404, content?.headers)
        response.end(content?.text ?? pageOf('Shop'))
      }, port)
      const serve = (text: string, headers: Record<string, string>) => {
        const path = `/${served.size + 1}`
        served.set(path, { text, headers })
        return path
      }
      await use({
        origin: site.url,
        forbiddenOrigin: `http://localhost:${port}`,
        page: (text, headers = {}) => serve(text, headers),
        script: (text) => serve(text, { 'content-type': 'text/javascript; charset=utf-8' }),
      })
      site.close()
    },
    { scope: 'worker' },
  ],

  embedScript: async ({ baseURL }, use) =>
    use(`<script src="${baseURL}/widget.js" async></script>`),

  visit: async ({ embedScript, front, page }, use) =>
    use(async (content, head = '') => {
      await page.goto(front.origin + front.page(shopPage(embedScript + content, head)))
    }),

  embed: async ({ merchant, visit }, use) =>
    use(async (options, content = inline) => {
      const link = await merchant.createLink(options)
      await visit(content(link))
      return link
    }),

  framed: async ({ page }, use) => use(new EmbeddedCheckout(page)),
})
