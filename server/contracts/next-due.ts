import { Temporal } from 'temporal-polyfill'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ContractsTable } from '../db/tables.ts'

/**
 * When a contract's charges fall due (contract section 11).
 *
 * Every due time is counted from the anchor and never from the one before: 31 January, 28 February,
 * 31 March. Days, months and the time of day are those of the contract's time zone, so that nine
 * o'clock stays nine o'clock when the clocks change.
 */

export type Recurrence = Pick<ContractsTable, 'frequency' | 'interval' | 'anchor' | 'timezone'>

const UNITS = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const

/** Beyond it the text of a time is longer, and would sort before the others. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The first due time that is later than `after` (epoch milliseconds), in the form in which times
 * are stored: the anchor itself, if that lies ahead. Undefined when the calendar ends first. A
 * local time that the clocks skip becomes the same time after the gap, a local time that comes
 * twice is the first of the two, and two due times that fall together count as one.
 */
export function dueAfter(rule: Recurrence, after: number): string | undefined {
  const anchor = Date.parse(rule.anchor)
  if (anchor > after) return rule.anchor
  const unit = UNITS[rule.frequency]
  const start = localTime(anchor, rule.timezone)
  const passed = start.until(localTime(after, rule.timezone), { largestUnit: unit })[unit]
  // Not one further: a local time that the clocks skipped has passed sooner than it is due.
  for (let n = Math.max(1, Math.floor(passed / rule.interval)); ; n += 1) {
    const local = start.add({ [unit]: n * rule.interval }, { overflow: 'constrain' })
    const due = local.toZonedDateTime(rule.timezone).epochMilliseconds
    if (due > LAST) return undefined
    if (due > after) return formatInstant(due)
  }
}

function localTime(ms: number, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime()
}

/**
 * The name by which a time zone can be counted in. Accounts may carry old abbreviations such as
 * CST, which dates are shown in and calendars refuse; each stands for one place.
 */
export function countableZone(timezone: string): string {
  try {
    localTime(0, timezone)
    return timezone
  } catch {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  }
}
