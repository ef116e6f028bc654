import { html, raw } from 'hono/html'
import type { ConsoleBoot } from '../../shared/console-boot.ts'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'
import { pageDocument } from '../http/page-document.ts'
import { REPORT_PATH } from '../http/security.ts'
import type { BuiltConsole } from './built-console.ts'

/** No inline code, no other origin; Trusted Types keep text from becoming code. */
export const CONSOLE_POLICY = contentSecurityPolicy({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'frame-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
  'report-uri': [REPORT_PATH],
})

/**
 * The page of the console. `boot` is data that its script reads; browsers do not run it. `section` is the
 * part of the address that names the screens to load at once.
 */
export function consoleShell(
  { shell, sections }: Pick<BuiltConsole, 'shell' | 'sections'>,
  section: string,
  /** The name of the instance of the screen. */
  shop: string,
  boot: ConsoleBoot,
) {
  const first = Object.hasOwn(sections, section) ? sections[section] : undefined
  return pageDocument({
    language: 'en',
    direction: 'ltr',
    title: 'Checkstand',
    styles: [...new Set([...shell.styles, ...(first?.styles ?? [])])],
    preloads: [...new Set([...shell.preloads, ...(first?.preloads ?? [])])],
    script: shell.script,
    body: html`<div id="console">${frame(shop)}</div>
      <noscript>The console needs JavaScript. The API and the command line do not.</noscript>
      ${raw(`<script type="application/json" id="boot">${jsonInHtml(boot)}</script>`)}`,
  })
}

/** What is painted before the script is there, in the places where it puts the same. */
const frame = (shop: string) =>
  html`<div class="shell">
    <header class="topbar"><b>${shop}</b></header>
    <aside class="sidebar" aria-hidden="true"><b>${shop}</b></aside>
    <main></main>
  </div>`

/** Returns JSON that cannot end the script element it stands in. */
function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
