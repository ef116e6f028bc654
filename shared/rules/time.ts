/**
 * Instants as text. `Date` is too lenient: it turns 30 February into 2 March and accepts a date
 * without a zone.
 */

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/**
 * Returns the epoch milliseconds of an RFC 3339 date-time with an offset; undefined if it is
 * invalid. Digits beyond the millisecond are truncated.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1)
  const instant = date.getTime() - offset * 60_000
  const written = new Date(instant).getUTCFullYear()
  return written >= 0 && written <= 9999 ? instant : undefined
}

function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Returns the stored form of an instant: UTC with three decimals. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Returns the same time of day some calendar months earlier, in UTC. A day that the month does not
 * have becomes its last one.
 */
export function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)))
  return date.getTime()
}

/**
 * Returns whether a text is a time zone name that `Intl` accepts. Its list of supported zones lacks
 * UTC, Asia/Kolkata and others that it accepts. It also accepts bare offsets, which are not names.
 */
export function isTimeZone(text: string): boolean {
  if (!/[A-Za-z]/.test(text) || /^[+-]/.test(text)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}
