import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { amountText } from '../../../shared/rules/currency.ts'
import type { OperationRow } from './tables.ts'

/** The bank's page of the sandbox, in English only. */

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 1.5rem 1rem; background: Canvas; color: CanvasText; }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem; border: 1px solid GrayText;
  border-radius: .75rem; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: .5rem 0; }
.amount { font-size: 1.75rem; font-weight: 600; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
button { flex: 1 1 8rem; min-height: 2.75rem; padding: .5rem 1rem; border: 2px solid #1f5f3f;
  border-radius: .5rem; background: transparent; color: inherit; font: inherit; font-weight: 600;
  cursor: pointer; }
button[value=approve] { background: #1f5f3f; color: #fff; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }
`

// The CSP hash covers every character between the tags.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

/**
 * No `form-action`: browsers apply it to every redirect after a submit, and the merchant's return URL is
 * not known here. No `frame-ancestors`: an embedded checkout shows the bank in its frame.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256')
    .update(STYLE)
    .digest('base64')}'; base-uri 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'strict-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}

/** Asks for confirmation, or links back after the payer's choice. */
export function challengePage(operation: OperationRow) {
  if (operation.state !== 'ACTION') {
    return page(
      'Already answered',
      html`<p>This payment has been answered. There is nothing left to do here.</p>
        <p><a href="${operation.return_url ?? ''}">Back to the shop</a></p>`,
    )
  }
  const currency = operation.currency ?? ''
  const doing =
    operation.kind === 'SETUP'
      ? 'saving this card'
      : operation.scenario === 'BANK_PAGE'
        ? 'this transfer'
        : 'this card payment'
  const amount =
    operation.amount !== null &&
    html`<p class="amount">${amountText(operation.amount, currency)} ${currency}</p>`
  return page(
    `Confirm ${doing}`,
    html`${amount || ''}
      <p>You choose how this test goes on. No real money moves.</p>
      <form method="post">
        <button name="choice" value="approve">Approve</button>
        <button name="choice" value="decline">Decline</button>
      </form>`,
  )
}

/** The page for an unknown challenge or an invalid choice. */
export function errorPage(title: string, text: string) {
  return page(title, html`<p>${text}</p>`)
}

function page(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Sandbox bank</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p>Sandbox bank</p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
}
