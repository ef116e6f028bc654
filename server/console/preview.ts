import { html } from 'hono/html'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { REPORT_PATH } from '../http/security.ts'
import type { BuiltDocument } from './built-console.ts'

/** Like the payer's page, but it can call nothing, so that nothing in it can pay. */
export const PREVIEW_POLICY = contentSecurityPolicy({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'none'"],
  'form-action': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'self'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
  'report-uri': [REPORT_PATH],
})

/** The document in which the console draws the payer's page, with a layer over it for its sentences. */
export function previewDocument({ script, styles }: BuiltDocument) {
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Checkstand</title>
        <link rel="icon" href="data:," />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        <script type="module" src="${script}"></script>
      </head>
      <body>
        <div id="checkout"></div>
        <div id="sentences"></div>
      </body>
    </html>`
}
