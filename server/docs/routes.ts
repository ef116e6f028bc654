import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { type Asset, assetResponse, IMMUTABLE, newAsset } from '../http/assets.ts'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { type BuiltDocs, readBuiltDocs } from './built-docs.ts'
import { contentsPage, guidePage, referencePage, searchPage } from './pages.ts'
import { createGuideSearch } from './search-guides.ts'

/** Guides and search: no script at all. */
const GUIDE_POLICY = contentSecurityPolicy({
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
})

/**
 * Scalar writes styles and evaluates code. `sandbox` gives its document an origin of its own, so that it reaches no
 * cookie, no storage and no answer of this server but those that are for everybody.
 */
const REFERENCE_POLICY = [
  'sandbox allow-scripts allow-popups allow-top-navigation-by-user-activation',
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const QUERY_LENGTH_MAX = 200

/** `/docs`: the guides, a search of them, and the reference. `dist` is the folder of the build. */
export function docsRoutes(dist: URL, { baseUrl }: { baseUrl: string }): Hono {
  // Read by the first request, since a start has no time for it.
  let built: Promise<Built> | undefined
  const read = () => (built ??= readAll(dist, baseUrl))
  const app = new Hono()
  app.get('/docs/assets/:name', async (c) => {
    const asset = await (await read()).files(c.req.path)
    if (!asset) return c.notFound()
    c.header('Cache-Control', IMMUTABLE)
    // The reference has an origin of its own.
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    return assetResponse(c, asset)
  })
  app.get('/docs/images/:name', async (c) => {
    const asset = await (await read()).files(c.req.path)
    if (!asset) return c.notFound()
    c.header('Cache-Control', 'public, max-age=86400')
    return assetResponse(c, asset)
  })
  app.get('/docs/reference', async (c) => {
    c.header('Content-Security-Policy', REFERENCE_POLICY)
    return c.html(referencePage((await read()).docs))
  })
  const pages = new Hono()
  pages.use('/docs/*', async (c, next) => {
    c.header('Content-Security-Policy', GUIDE_POLICY)
    await next()
  })
  pages.get('/docs/search', async (c) => {
    const query = (c.req.query('q') ?? '').trim().slice(0, QUERY_LENGTH_MAX)
    if (query === '') return c.redirect('/docs', 303)
    const { docs, search } = await read()
    return c.html(searchPage(docs, query, search(query)))
  })
  for (const path of ['/docs', '/docs/:name'] as const) {
    pages.get(path, async (c) => {
      const page = (await read()).page(c.req.param('name') ?? '')
      if (!page) return c.notFound()
      c.header('Cache-Control', 'public, max-age=300')
      return assetResponse(c, await page)
    })
  }
  app.route('/', pages)
  return app
}

interface Built {
  docs: BuiltDocs
  search: ReturnType<typeof createGuideSearch>
  page: ReturnType<typeof guidePages>
  files: ReturnType<typeof docsFiles>
}

async function readAll(dist: URL, baseUrl: string): Promise<Built> {
  const docs = await readBuiltDocs(dist)
  return {
    docs,
    search: createGuideSearch(docs.sections),
    page: guidePages(docs, baseUrl),
    files: docsFiles(dist, docs),
  }
}

/** Returns what makes the page of a guide, once, or of the contents; undefined for a name that is none. */
function guidePages(docs: BuiltDocs, baseUrl: string) {
  const made = new Map<string, Promise<Asset>>()
  const make = async (html: ReturnType<typeof contentsPage>) =>
    newAsset('text/html; charset=utf-8', new TextEncoder().encode(String(await html)))
  return (name: string): Promise<Asset> | undefined => {
    const known = made.get(name)
    if (known) return known
    const guide = docs.guides.find((each) => each.name === name)
    if (name !== '' && !guide) return undefined
    const page = make(guide ? guidePage(docs, guide, baseUrl) : contentsPage(docs))
    made.set(name, page)
    return page
  }
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
}

/** Returns what reads a built file when it is first asked for. Scalar has 5 MB, and most servers never show it. */
function docsFiles(dist: URL, { css, scalar, storage }: BuiltDocs) {
  const read = new Map<string, Promise<Asset | undefined>>()
  const load = async (path: string): Promise<Asset | undefined> => {
    const isImage = /^\/docs\/images\/[\w-]+\.(?:webp|png)$/.test(path)
    if (!isImage && ![css, scalar, storage].includes(path)) return undefined
    const file = new URL(path.slice(1), dist)
    const bytes = await readFile(file).catch(() => undefined)
    if (!bytes) return undefined
    const asset = newAsset(TYPES[path.split('.').at(-1) ?? ''] ?? '', new Uint8Array(bytes))
    if (isImage) return { ...asset, as: async () => asset.identity }
    // Compressed by the build, since it takes seconds.
    const compressed = new Uint8Array(await readFile(new URL(`${file.href}.br`)))
    return {
      ...asset,
      as: (encoding) => (encoding === 'br' ? Promise.resolve(compressed) : asset.as(encoding)),
    }
  }
  return (path: string) => {
    const known = read.get(path) ?? load(path)
    // Only what there is: addresses are anybody's.
    void known.then((asset) => asset && read.set(path, known))
    return known
  }
}
