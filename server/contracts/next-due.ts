import { Temporal } from 'temporal-polyfill'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ContractsTable } from '../db/tables/contracts.ts'

/**
 * Due times of a contract. Each is counted from the anchor and not from the one before: 31 January,
 * 28 February, 31 March. Days, months and the time of day are local to the contract's time zone, so
 * 9:00 stays 9:00 across daylight saving time.
 */

export type Recurrence = Pick<ContractsTable, 'frequency' | 'interval' | 'anchor' | 'timezone'>

const UNITS = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const

/** A later time has a longer text, which would sort first. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns the first due time later than `after` (epoch milliseconds) as a date-time, which may be the
 * anchor; undefined past the year 9999. A local time that daylight saving skips moves past the gap, an
 * ambiguous one is the earlier of the two, and equal due times count once.
 */
export function nextDueTime(rule: Recurrence, after: number): string | undefined {
  const anchor = Date.parse(rule.anchor)
  if (anchor > after) return rule.anchor
  const unit = UNITS[rule.frequency]
  const start = localTime(anchor, rule.timezone)
  const passed = start.until(localTime(after, rule.timezone), { largestUnit: unit })[unit]
  // Not `passed + 1`: a skipped local time passes before it is due.
  for (let n = Math.max(1, Math.floor(passed / rule.interval)); ; n += 1) {
    const local = start.add({ [unit]: n * rule.interval }, { overflow: 'constrain' })
    const due = local.toZonedDateTime(rule.timezone).epochMilliseconds
    if (due > LAST) return undefined
    if (due > after) return formatInstant(due)
  }
}

/** Returns the date-time that many days later at the same local time; skipped times move past the gap. */
export function daysLater(ms: number, days: number, timezone: string): string {
  const local = localTime(ms, countableZone(timezone)).add({ days })
  return formatInstant(local.toZonedDateTime(countableZone(timezone)).epochMilliseconds)
}

function localTime(ms: number, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime()
}

/**
 * Returns an IANA name that Temporal accepts. Accounts may have legacy abbreviations such as CST, which
 * Intl accepts and Temporal rejects.
 */
export function countableZone(timezone: string): string {
  try {
    localTime(0, timezone)
    return timezone
  } catch {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  }
}
