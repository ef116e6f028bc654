import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import type { AppContext } from '../http/router.ts'
import { STYLE } from './style.ts'
import type { Translator } from './translator.ts'

/**
 * The document around the pages for merchants' users: rendered here, without any script, so that it
 * works wherever a form works.
 */

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

// Written here in one piece: the hash covers every character between the tags.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

export interface PageOptions {
  translator: Translator
  title: string
  content: Html
  status?: ContentfulStatusCode
  /**
   * Other origins that a form of the page may end at. Chrome applies form-action to every redirect
   * that follows a form, and would stop there without a word (safety section 1, rule 11).
   */
  formEndsAt?: readonly string[]
}

/** Answers with a page that cannot be framed, kept, or made to send or load anything else. */
export function renderPage(c: AppContext, page: PageOptions): Response | Promise<Response> {
  c.header('Content-Security-Policy', policy(page.formEndsAt))
  c.header('X-Robots-Tag', 'noindex')
  setSurroundings(c)
  return c.html(wholeDocument(page), page.status ?? 200)
}

/**
 * Sends the browser on, to an address that stays as it was built. By 303, so that it fetches the
 * next page and sends no form, and so no password, again (safety section 1, rule 12).
 */
export function seeOther(c: AppContext, address: string): Response {
  c.header('Location', address)
  setSurroundings(c)
  return c.body(null, 303)
}

function setSurroundings(c: AppContext): void {
  c.header('Cache-Control', 'no-store')
  // The address holds what a platform asked for, and it is nobody else's business.
  c.header('Referrer-Policy', 'no-referrer')
  // A platform may ask in a window of its own, which must still know its opener at the end of the
  // way; a redirect on it is as able to cut them apart as a page.
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none')
}

function policy(formEndsAt: readonly string[] = []): string {
  return contentSecurityPolicy({
    'default-src': ["'none'"],
    'style-src': [`'${STYLE_HASH}'`],
    'img-src': ['data:'],
    'form-action': ["'self'", ...formEndsAt],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
}

function wholeDocument({ translator, title, content }: PageOptions): Html {
  return html`<!doctype html>
    <html lang="${translator.language}" dir="${translator.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Checkstand</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="house"><span class="mark" aria-hidden="true">C</span>Checkstand</p>
          ${content}
        </main>
      </body>
    </html>`
}

/** What went wrong, above a form; fields point at it by its id. */
export function errorNotice(text: string): Html {
  return html`<p class="notice" role="alert" id="problem">${WARNING}<span>${text}</span></p>`
}

const WARNING = raw(
  '<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" ' +
    'stroke-width="1.6" stroke-linecap="round" aria-hidden="true" focusable="false">' +
    '<circle cx="10" cy="10" r="7.5"/><path d="M10 6.2v4.4M10 13.6v.1"/></svg>',
)
