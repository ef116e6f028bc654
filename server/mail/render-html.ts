import { html, raw } from 'hono/html'
import { type Palette, paletteOf, schemesOf, type Theme } from '../../shared/rules/palette.ts'
import type { MailContent, MailContentRow, MailFrame } from './content/content.ts'
import { oneLine, type MailWording } from './wording.ts'

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * Returns a mail as HTML. It loads nothing from elsewhere, so that opening it tells no one. Styles
 * stand on the elements, as mail programs need it; the dark scheme is for those that read a style
 * sheet. `html` escapes every value.
 */
export async function renderHtml(
  { t, language, direction, merchant }: MailWording,
  content: MailContent,
  { isTest, imprint, theme }: MailFrame & { theme: Theme },
): Promise<string> {
  const schemes = schemesOf(theme)
  const [first = 'light'] = schemes
  const colors = paletteOf(theme, first)
  const { title, amount, paragraphs, rows = [], action, unsubscribe } = content
  const page = html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${schemes.join(' ')}" />
        <meta name="supported-color-schemes" content="${schemes.join(' ')}" />
        <title>${content.subject}</title>
        <style>
          ${raw(styleSheet(theme, schemes))}
        </style>
      </head>
      <body
        class="ground"
        dir="${direction}"
        style="margin:0;padding:0;background:${colors['ground']}"
      >
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                class="surface"
                style="max-width:520px;background:${colors['surface']};border:1px solid ${colors['line']};border-radius:12px"
              >
                <tr>
                  <td
                    dir="${direction}"
                    class="text"
                    style="padding:32px 28px;${FONT};font-size:16px;line-height:1.5;color:${colors['text']};text-align:${start(direction)}"
                  >
                    ${isTest ? html`<p class="muted" style="margin:0 0 16px;font-size:14px;color:${colors['muted']}">${t('email.test_mode')}</p>` : ''}
                    <p class="muted" style="margin:0 0 8px;font-size:14px;color:${colors['muted']}">
                      <bdi>${merchant}</bdi>
                    </p>
                    <h1 style="margin:0 0 8px;font-size:22px;line-height:1.3;font-weight:600">
                      ${title}
                    </h1>
                    ${amount === undefined ? '' : html`<p style="margin:0 0 16px;font-size:30px;line-height:1.2;font-weight:600"><bdi>${amount}</bdi></p>`}
                    ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
                    ${rows.length === 0 ? '' : rowTable(rows, colors, direction)}
                    ${action === undefined ? '' : html`<p style="margin:24px 0 0"><a href="${action.url}" class="fill" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${colors['fill']};color:${colors['accent-text']};font-weight:600;text-decoration:none">${action.label}</a></p>`}
                  </td>
                </tr>
              </table>
              <p
                class="muted"
                style="margin:16px 0 0;max-width:520px;${FONT};font-size:13px;line-height:1.5;color:${colors['muted']}"
              >
                ${imprint.map((line) => html`<bdi>${oneLine(line)}</bdi><br />`)}
                ${t('email.sent_for', { merchant })}
                ${unsubscribe === undefined ? '' : html`<br /><a href="${unsubscribe}" class="muted" style="color:${colors['muted']}">${t('email.notices_refuse')}</a>`}
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html> `
  return String(await page)
}

function rowTable(rows: readonly MailContentRow[], colors: Palette, direction: 'ltr' | 'rtl') {
  const cell = `padding:10px 0;border-top:1px solid ${colors['line']};vertical-align:top`
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:8px 0 0;border-collapse:collapse"
  >
    ${rows.map(
      ([label, value]) =>
        html`<tr>
          <td
            class="muted line"
            style="${cell};padding-inline-end:16px;font-size:14px;color:${colors['muted']};text-align:${start(direction)}"
          >
            <bdi>${oneLine(label)}</bdi>
          </td>
          <td
            class="line"
            style="${cell};font-size:15px;word-break:break-word;text-align:${end(direction)}"
          >
            <bdi>${oneLine(value)}</bdi>
          </td>
        </tr>`,
    )}
  </table>`
}

const start = (direction: 'ltr' | 'rtl') => (direction === 'ltr' ? 'left' : 'right')
const end = (direction: 'ltr' | 'rtl') => (direction === 'ltr' ? 'right' : 'left')

/** The colors are validated when they are saved, and computed otherwise. */
function styleSheet(theme: Theme, schemes: readonly string[]): string {
  const scheme = `:root{color-scheme:${schemes.join(' ')}}`
  if (schemes.length === 1) return scheme
  const {
    ground,
    surface,
    text,
    muted,
    line,
    fill,
    'accent-text': onFill,
  } = paletteOf(theme, 'dark')
  const dark = [
    `.ground{background:${ground}!important}`,
    `.surface{background:${surface}!important;border-color:${line}!important}`,
    `.text{color:${text}!important}`,
    `.muted{color:${muted}!important}`,
    `.line{border-color:${line}!important}`,
    `.fill{background:${fill}!important;color:${onFill}!important}`,
  ]
  return `${scheme}@media (prefers-color-scheme:dark){${dark.join('')}}`
}
