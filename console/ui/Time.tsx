import { language } from '../words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns one format for the same options: making one takes longer than a row of a list may. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const created = new Intl.DateTimeFormat(language(), options)
  formats.set(key, created)
  return created
}

/** Formats an instant in full, in a time zone or that of the browser. */
export function formatTime(instant: string, timeZone?: string | null): string {
  const zone = timeZone ? { timeZone } : {}
  const format = dateFormat({ dateStyle: 'medium', timeStyle: 'short', ...zone })
  return format.format(new Date(instant))
}

/** Formats a time of day to the second, or, `withDate`, a day and its time to the minute. */
export function formatMoment(instant: string, timeZone: string | null, withDate: boolean): string {
  const zone = timeZone ? { timeZone } : {}
  const date = new Date(instant)
  if (!withDate) return dateFormat({ timeStyle: 'medium', ...zone }).format(date)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return dateFormat({
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    ...zone,
  }).format(date)
}

/** Returns whether two instants are on the same day of a time zone, or of that of the browser. */
export function isSameDay(one: string, other: string, timeZone: string | null): boolean {
  const format = dateFormat({ dateStyle: 'short', ...(timeZone && { timeZone }) })
  return format.format(new Date(one)) === format.format(new Date(other))
}

const RELATIVE: Intl.RelativeTimeFormatOptions = { numeric: 'auto', style: 'short' }
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()

function relativeFormat(): Intl.RelativeTimeFormat {
  const known = relativeFormats.get(language())
  if (known) return known
  const created = new Intl.RelativeTimeFormat(language(), RELATIVE)
  relativeFormats.set(language(), created)
  return created
}

/** Formats how long ago an instant was, and its date when that is more than a week. */
export function formatAgo(instant: string, now: number = Date.now()): string {
  const ms = Date.parse(instant) - now
  const size = Math.abs(ms)
  if (size > 7 * DAY_MS) {
    const sameYear = new Date(instant).getFullYear() === new Date(now).getFullYear()
    const year = sameYear ? {} : { year: 'numeric' as const }
    return dateFormat({ day: 'numeric', month: 'short', ...year }).format(new Date(instant))
  }
  const format = relativeFormat()
  if (size >= DAY_MS) return format.format(Math.round(ms / DAY_MS), 'day')
  if (size >= HOUR_MS) return format.format(Math.round(ms / HOUR_MS), 'hour')
  return format.format(Math.round(ms / MINUTE_MS), 'minute')
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

/** Returns an instant as the value of a field of the type `datetime-local`. */
export function localTime(instant: string): string {
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the instant that the value of such a field means. */
export const utcTime = (local: string): string => new Date(local).toISOString()
