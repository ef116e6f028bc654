import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/** A page of the server beside the payer's page: sign-in, the console, its preview. */
export interface PageDocument {
  /** BCP 47. */
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  /** Whether the page follows the system's scheme, light or dark. */
  schemes?: boolean
  /** Addresses of style sheets. */
  styles?: readonly string[]
  /** A style sheet within the document; trusted CSS. */
  css?: string
  /** Address of the module; none runs without one. */
  script?: string | undefined
  /** Addresses of modules that it imports, to be loaded beside it. */
  preloads?: readonly string[]
  body: Html
}

/** Returns the document of a page that search engines leave out. */
export function pageDocument({
  language,
  direction,
  title,
  schemes = true,
  styles = [],
  css,
  script,
  preloads = [],
  body,
}: PageDocument): Html {
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        ${schemes ? raw('<meta name="color-scheme" content="light dark" />') : ''}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        ${css === undefined ? '' : raw(`<style>${css}</style>`)}
        ${preloads.map((href) => html`<link rel="modulepreload" href="${href}" />`)}
        ${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`
}
