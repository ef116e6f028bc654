import { html } from 'hono/html'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { pageDocument } from '../http/page-document.ts'
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
  return pageDocument({
    language: 'en',
    direction: 'ltr',
    title: 'Checkstand',
    // The scheme that is shown is a choice of the console.
    schemes: false,
    styles,
    script,
    body: html`<div id="checkout"></div>
      <div id="sentences"></div>`,
  })
}
