import { language } from '../words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Formats an instant in full, in a time zone or that of the browser. */
export function formatTime(instant: string, timeZone?: string | null): string {
  return new Date(instant).toLocaleString(language(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  })
}

/** Formats how long ago an instant was, and its date when that is more than a week. */
export function formatAgo(instant: string, now: number = Date.now()): string {
  const ms = Date.parse(instant) - now
  const size = Math.abs(ms)
  if (size > 7 * DAY_MS) {
    const sameYear = new Date(instant).getFullYear() === new Date(now).getFullYear()
    return new Date(instant).toLocaleDateString(language(), {
      day: 'numeric',
      month: 'short',
      ...(!sameYear && { year: 'numeric' }),
    })
  }
  const relative = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' })
  if (size >= DAY_MS) return relative.format(Math.round(ms / DAY_MS), 'day')
  if (size >= HOUR_MS) return relative.format(Math.round(ms / HOUR_MS), 'hour')
  return relative.format(Math.round(ms / MINUTE_MS), 'minute')
}

/** An instant as a time ago, with the full time as its title. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">–</span>
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}
