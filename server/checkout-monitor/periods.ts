import { Temporal } from 'temporal-polyfill'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { Instance } from '../db/tables/instances.ts'
import { invalid } from '../errors.ts'
import { SLOT_MS } from './cells.ts'

/**
 * Days and hours of an instance's time zone, in slots. Offsets of all zones are multiples of fifteen
 * minutes, three slots, so that every day and hour begins where a slot does. Only before 1980 some were
 * not, when no session was opened.
 */

const QUARTER_MS = 3 * SLOT_MS
const DAY_SLOTS = 86_400_000 / SLOT_MS
const HOUR_SLOTS = DAY_SLOTS / 24
const DAYS_MAX = 400
const DAYS_DEFAULT = 30
export const ROWS_MAX = 1000

/** A time span in slots: from the first one, up to but not including the last one. */
export interface Span {
  from: number
  to: number
}

/** A time from which on a zone has an offset, both in slots. */
export interface Offset {
  from: number
  offset: number
}

/** A row of a report by day or hour. Rows of the same local hour have different offsets. */
export interface Period {
  key: string
  /** Number of the local day or hour since the epoch. */
  number: number
  /** Index of the offset; 0 for days. */
  offset: number
  /** Its first slot within the span. */
  slot: number
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Returns the zone in which an instance's days begin: UTC unless it has one. */
export function zoneOf({ timezone }: Pick<Instance, 'timezone'>): string {
  if (timezone === null) return 'UTC'
  try {
    Temporal.PlainDate.from('2000-01-01').toZonedDateTime(timezone)
    return timezone
  } catch {
    return 'UTC'
  }
}

/**
 * Parses `from` and `to`. A date is a day of the zone, and `to` includes it; a date-time is widened to
 * a quarter of an hour. The default is the last 30 days, today included. Throws a 400 ApiError.
 */
export function parseSpan(
  query: { from?: string | undefined; to?: string | undefined },
  { now, zone }: { now: number; zone: string },
): Span {
  const end =
    query.to === undefined ? startOfDay(dayOf(now, zone).add({ days: 1 }), zone) : undefined
  const to = end ?? parseTime('to', query.to as string, { zone, isEnd: true })
  const from =
    query.from === undefined
      ? startOfDay(dayOf(to - 1, zone).subtract({ days: DAYS_DEFAULT - 1 }), zone)
      : parseTime('from', query.from, { zone, isEnd: false })
  if (from >= to) throw invalid('to', 'must be after from')
  if (startOfDay(dayOf(from, zone).add({ days: DAYS_MAX }), zone) < to) {
    throw invalid('to', `must be at most ${DAYS_MAX} days after from`)
  }
  return { from: Math.floor(from / SLOT_MS), to: Math.ceil(to / SLOT_MS) }
}

function parseTime(
  name: 'from' | 'to',
  text: string,
  { zone, isEnd }: { zone: string; isEnd: boolean },
): number {
  const isDay = DAY.test(text)
  const ms = parseInstant(isDay ? `${text}T00:00:00Z` : text)
  if (ms === undefined || ms < 0 || text >= '9999') {
    throw invalid(name, 'must be a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z')
  }
  if (isDay) return startOfDay(Temporal.PlainDate.from(text).add({ days: isEnd ? 1 : 0 }), zone)
  return (isEnd ? Math.ceil(ms / QUARTER_MS) : Math.floor(ms / QUARTER_MS)) * QUARTER_MS
}

function dayOf(ms: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
}

/** Where a day begins later than midnight, at the first time that it has. */
function startOfDay(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds
}

/** Returns the offsets that a zone has within a span, oldest first. */
export function offsetsOf({ from, to }: Span, zone: string): Offset[] {
  const offsets: Offset[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
    from * SLOT_MS,
  ).toZonedDateTimeISO(zone)
  while (at !== null && at.epochMilliseconds < to * SLOT_MS) {
    const offset = Math.round(at.offsetNanoseconds / 1e6 / SLOT_MS)
    offsets.push({ from: Math.round(at.epochMilliseconds / SLOT_MS), offset })
    at = at.getTimeZoneTransition('next')
  }
  return offsets
}

/** Returns every day or hour of a span, also those without sessions. Throws a 400 for too many. */
export function periodsOf(span: Span, offsets: readonly Offset[], by: 'day' | 'hour'): Period[] {
  const size = sizeOf(by)
  const periods: Period[] = []
  for (const [index, { from, offset }] of offsets.entries()) {
    const end = Math.min(offsets[index + 1]?.from ?? span.to, span.to)
    for (
      let slot = from;
      slot < end;
      slot = (Math.floor((slot + offset) / size) + 1) * size - offset
    ) {
      const number = Math.floor((slot + offset) / size)
      // A day goes on when the clocks change.
      if (by === 'day' && periods.at(-1)?.number === number) continue
      if (periods.length === ROWS_MAX) {
        throw invalid('by', `${by} has more than ${ROWS_MAX} rows; ask for fewer days`)
      }
      periods.push({
        key: by === 'day' ? dayKey(number) : hourKey(slot, offset),
        number,
        offset: by === 'day' ? 0 : index,
        slot,
      })
    }
  }
  return periods
}

/** Slots of a local day or hour without a change of the clocks. */
export function sizeOf(by: 'day' | 'hour'): number {
  return by === 'day' ? DAY_SLOTS : HOUR_SLOTS
}

function dayKey(number: number): string {
  return formatInstant(number * DAY_SLOTS * SLOT_MS).slice(0, 10)
}

/** A date-time with the offset, because the clocks may show an hour twice. */
function hourKey(slot: number, offset: number): string {
  const local = formatInstant((slot + offset) * SLOT_MS).slice(0, 19)
  const minutes = Math.abs(offset * SLOT_MS) / 60_000
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
}
