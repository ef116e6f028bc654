import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { pageDocument } from '../http/page-document.ts'
import type { AppContext } from '../http/router.ts'
import { STYLE } from './style.ts'
import type { Translator } from './translator.ts'

// The pages for merchants are rendered on the server and work without scripts. Passkeys need one.

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const styleHash = (style: string) => `sha256-${createHash('sha256').update(style).digest('base64')}`
const OWN_STYLE_HASH = styleHash(STYLE)

/** A merchant, on whose behalf a page is shown. */
export interface PageBrand {
  name: string
  /** Overrides the theme; empty for the default one. */
  css: string
}

export interface PageOptions {
  translator: Translator
  title: string
  content: Html
  status?: ContentfulStatusCode
  /** Checkstand itself without one. */
  brand?: PageBrand
  /**
   * Origins for the policy's form-action, besides our own. Chrome applies form-action to every
   * redirect that follows a form and blocks the others silently.
   */
  formActionOrigins?: readonly string[]
  /** The address of the page's script; none runs without one. */
  script?: string | undefined
}

/** Responds with a page that cannot be framed, cached or made to load other resources. */
export function renderPage(c: AppContext, page: PageOptions): Response | Promise<Response> {
  const css = page.brand?.css ?? ''
  const hash = css === '' ? OWN_STYLE_HASH : styleHash(STYLE + css)
  c.header('Content-Security-Policy', policy(hash, page))
  c.header('X-Robots-Tag', 'noindex')
  setPageHeaders(c)
  return c.html(document(page), page.status ?? 200)
}

/**
 * Redirects by 303: the browser then sends a GET and does not submit the form, with its password,
 * again. `url` is sent unchanged.
 */
export function seeOther(c: AppContext, url: string): Response {
  c.header('Location', url)
  setPageHeaders(c)
  return c.body(null, 303)
}

function setPageHeaders(c: AppContext): void {
  c.header('Cache-Control', 'no-store')
  // The URL contains the platform's authorization request.
  c.header('Referrer-Policy', 'no-referrer')
  // A platform may open the request in a popup, which needs its opener when it returns. A redirect
  // with another value would cut the two apart as well.
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none')
}

function policy(
  hash: string,
  { formActionOrigins = [], script }: Pick<PageOptions, 'formActionOrigins' | 'script'>,
): string {
  return contentSecurityPolicy({
    'default-src': ["'none'"],
    ...(script !== undefined && {
      'script-src': ["'self'"],
      'connect-src': ["'self'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    }),
    'style-src': [`'${hash}'`],
    'img-src': ['data:'],
    'form-action': ["'self'", ...formActionOrigins],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
}

const OWN_NAME = raw('<span class="mark" aria-hidden="true">C</span>Checkstand')

function document({ translator, title, content, brand, script }: PageOptions): Html {
  return pageDocument({
    language: translator.language,
    direction: translator.direction,
    title: `${title} – ${brand?.name ?? 'Checkstand'}`,
    css: STYLE + (brand?.css ?? ''),
    script,
    body: html`<main>
      <p class="product">${brand ? html`<bdi>${brand.name}</bdi>` : OWN_NAME}</p>
      ${content}
    </main>`,
  })
}

/** An error above a form. Fields refer to its id with aria-describedby. */
export function errorNotice(text: string): Html {
  return html`<p class="notice" role="alert" id="problem">${WARNING_ICON}<span>${text}</span></p>`
}

const WARNING_ICON = raw(
  '<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" ' +
    'stroke-width="1.6" stroke-linecap="round" aria-hidden="true" focusable="false">' +
    '<circle cx="10" cy="10" r="7.5"/><path d="M10 6.2v4.4M10 13.6v.1"/></svg>',
)
