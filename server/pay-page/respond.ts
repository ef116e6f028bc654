import { type ColorScheme, colorSchemeOf } from '../../shared/rules/scheme.ts'
import type { Config } from '../config.ts'
import { acceptedEncoding } from '../http/compress.ts'
import type { AppContext } from '../http/router.ts'
import { pagePolicy } from '../http/security.ts'
import type { PageRenderer } from './document.ts'
import { createPageCache, type RenderedDocument } from './page-cache.ts'
import { type FirstView, previewText } from './page-model.ts'

export type PageResponder = (c: AppContext, view: FirstView) => Promise<Response>

/** Returns a function that responds with the HTML of a first view. Caches the pages. */
export function createPageResponder(config: Config, renderPage: PageRenderer): PageResponder {
  const pages = createPageCache()
  return async (c, view) => {
    const scheme = isFramed(c) ? colorSchemeOf(c.req.query('theme') ?? 'light dark') : undefined
    const frame = scheme === undefined ? 'whole' : `framed/${scheme}`
    const key = view.cacheKey && `${frame} ${view.cacheKey}`
    const page = await pages(key, () => renderView(config, renderPage, view, scheme))
    const encoding = acceptedEncoding(c.req.header('accept-encoding'))
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    c.header('Vary', 'Accept-Encoding')
    c.header('Content-Security-Policy', page.policy)
    if (page.permissions !== undefined) c.header('Permissions-Policy', page.permissions)
    c.header('X-Robots-Tag', 'noindex')
    c.header('Content-Type', 'text/html; charset=UTF-8')
    return c.body(await page.packed(encoding), view.status)
  }
}

async function renderView(
  { baseUrl }: Config,
  renderPage: PageRenderer,
  view: FirstView,
  framed: ColorScheme | undefined,
): Promise<RenderedDocument> {
  const model = await view.model()
  const { css, logo } = view.theme()
  const scripts = Object.values(model.processors ?? {}).map(({ script }) => new URL(script).origin)
  const { html, styleHash, mapHash } = renderPage(model, {
    preconnect: scripts,
    url: view.path === undefined ? null : baseUrl + view.path,
    description: previewText(model, view.strings),
    css,
    framed,
  })
  return {
    html,
    policy: pagePolicy(styleHash, logo, model.embed_origins, mapHash, view.policies?.()),
    permissions: scripts.length > 0 ? paymentPermission(scripts) : undefined,
  }
}

/** Returns the Permissions-Policy that lets frames of these origins ask for a payment. */
function paymentPermission(origins: readonly string[]): string {
  return `payment=(self ${origins.map((origin) => `"${origin}"`).join(' ')})`
}

/** Returns whether the browser loads the page into a frame. Older browsers do not say. */
export function isFramed(c: AppContext): boolean {
  return c.req.header('sec-fetch-dest') === 'iframe'
}
