import type { ComponentChildren } from 'preact'
import { t } from '../shell/common-words.ts'
import './details.css'
import { IconButton } from './Button.tsx'
import { toast } from './toast.ts'

/** Names and values, one a row. Rows with an undefined value are left out. */
export function KeyValue({
  rows,
}: {
  rows: readonly (readonly [label: string, value: ComponentChildren] | undefined | null | false)[]
}) {
  return (
    <dl class="key-value">
      {rows.map(
        (row) =>
          row &&
          row[1] !== undefined && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Copies a text. The toast says so; a browser that refuses leaves the text selectable. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast(t('copied'))
    return true
  } catch {
    return false
  }
}

/** An id or address with a button that copies it. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  return (
    <span class="copy-text">
      <code>{text}</code>
      <IconButton icon="copy" label={label ?? t('copy')} onClick={() => void copyText(text)} />
    </span>
  )
}

/** Lines of code or settings with a button that copies them. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div class="snippet-box">
      <div class="snippet-title">
        <span>{label}</span>
        <IconButton
          icon="copy"
          label={`${t('copy')}: ${label}`}
          onClick={() => void copyText(text)}
        />
      </div>
      <pre class="snippet" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}

/** A part of a screen with a heading. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
