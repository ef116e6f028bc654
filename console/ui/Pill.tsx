import type { ComponentChildren } from 'preact'
import './pill.css'
import { Icon } from './Icon.tsx'
import { countText } from './count-text.ts'

/** `ask` is an unknown outcome: neither success nor failure nor waiting. */
export type Tone = 'ok' | 'wait' | 'bad' | 'news' | 'ask' | 'calm'

const ICONS: Readonly<Record<Tone, string | undefined>> = {
  ok: 'check',
  wait: 'clock',
  bad: 'circle-alert',
  news: undefined,
  ask: 'message-circle-question-mark',
  calm: undefined,
}

/** A status: a word with an icon, never a color alone. */
export function Pill({
  tone,
  plain = false,
  children,
}: {
  tone: Tone
  /** Without the icon, for what is no status. */
  plain?: boolean
  children: ComponentChildren
}) {
  const icon = plain ? undefined : ICONS[tone]
  return (
    <span class={`pill ${tone}`}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
}

/** A count beside a noun. */
export function Count({ value, tone = 'calm' }: { value: number; tone?: Tone }) {
  return <span class={`count ${tone}`}>{countText(value)}</span>
}
