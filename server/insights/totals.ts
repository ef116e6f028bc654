import { sql } from 'kysely'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { TotalsRow } from '../../shared/schemas/totals.ts'
import { SLOT_MS } from '../checkout-monitor/cells.ts'
import { type Offset, type Period, type Span } from '../checkout-monitor/periods.ts'
import { keyOf } from '../checkout-monitor/sum-counts.ts'
import type { Db } from '../db/tables.ts'
import { QUARTER_MS, type TotalKind } from './cell.ts'

export interface TotalSum {
  /** Number of the day or hour; 0 for the whole span. */
  key: number
  /** Index of the offset of an hour. */
  offset: number
  currency: string
  kind: TotalKind
  n: number
  /** Minor units. */
  amount: number
}

/** What is summed, of one instance. */
interface Summed {
  instanceId: string
  /** In the slots of `periods.ts`, at quarters of an hour. */
  span: Span
  by: 'none' | 'day' | 'hour'
  offsets: readonly Offset[]
  currency: string | undefined
}

/** Slots of the periods in a slot of the totals. */
const SLOTS = QUARTER_MS / SLOT_MS

/** Sums the totals by day or hour, currency and kind. */
export async function sumTotals(
  db: Db,
  { instanceId, span, by, offsets, currency }: Summed,
): Promise<TotalSum[]> {
  const whole = { key: sql<number>`0`, offset: sql<number>`0` }
  const { key, offset } = by === 'none' ? whole : keyOf(by, offsets)
  let counts = db
    .selectFrom('totals')
    .select([sql<number>`slot * ${sql.lit(SLOTS)}`.as('slot'), 'currency', 'kind', 'n', 'amount'])
    .where('instance_id', '=', instanceId)
    .where('slot', '>=', span.from / SLOTS)
    .where('slot', '<', span.to / SLOTS)
  if (currency !== undefined) counts = counts.where('currency', '=', currency)
  // PostgreSQL would add bigints up to a numeric.
  const sum = (name: string) => sql<number>`cast(sum(${sql.ref(`counts.${name}`)}) as bigint)`
  return db
    .selectFrom(counts.as('counts'))
    .select([key.as('key'), offset.as('offset'), 'currency', 'kind'])
    .select([sum('n').as('n'), sum('amount').as('amount')])
    .groupBy([sql`1`, sql`2`, 'currency', 'kind'])
    .$castTo<TotalSum>()
    .execute()
}

/** The time that a row of totals is of, in epoch milliseconds. */
export interface TotalsPeriod extends Pick<Period, 'number' | 'offset'> {
  from: number
  to: number
}

/** Returns the whole span as one period. */
export function wholeSpan({ from, to }: Span): TotalsPeriod {
  return { number: 0, offset: 0, from: from * SLOT_MS, to: to * SLOT_MS }
}

/** Returns the times of periods. The first and the last may be cut by the span. */
export function timesOf(periods: readonly Period[], { to }: Span): TotalsPeriod[] {
  return periods.map(({ number, offset, slot }, index) => ({
    number,
    offset,
    from: slot * SLOT_MS,
    to: (periods[index + 1]?.slot ?? to) * SLOT_MS,
  }))
}

/** Writes a row for each period and each currency that occurs, or that is asked for. */
export function buildTotals(
  sums: readonly TotalSum[],
  periods: readonly TotalsPeriod[],
  currency: string | undefined,
): TotalsRow[] {
  const found = new Map<string, Map<TotalKind, TotalSum>>()
  for (const sum of sums) {
    const key = `${sum.key}/${sum.offset}/${sum.currency}`
    found.set(key, (found.get(key) ?? new Map<TotalKind, TotalSum>()).set(sum.kind, sum))
  }
  const used = sums.filter(({ n }) => n > 0).map((sum) => sum.currency)
  const currencies = currency === undefined ? [...new Set(used)].toSorted() : [currency]
  return periods.flatMap((period) =>
    currencies.map((code) => {
      const own = found.get(`${period.number}/${period.offset}/${code}`)
      return { ...timesText(period), currency: code, ...rowOf(own, code) }
    }),
  )
}

function timesText({ from, to }: TotalsPeriod) {
  return { from: formatInstant(from), to: formatInstant(to) }
}

function rowOf(
  sums: ReadonlyMap<TotalKind, TotalSum> | undefined,
  currency: string,
): Omit<TotalsRow, 'from' | 'to' | 'currency'> {
  const n = (kind: TotalKind) => sums?.get(kind)?.n ?? 0
  const amount = (kind: TotalKind) => sums?.get(kind)?.amount ?? 0
  const gross = amount('payment') + amount('capture')
  return {
    gross: amountText(gross, currency),
    captured: amountText(amount('capture'), currency),
    refunded: amountText(amount('refund'), currency),
    reversed: amountText(amount('reversal'), currency),
    net: signedText(gross - amount('refund') - amount('reversal'), currency),
    payments: n('payment') + n('authorization'),
    refunds: n('refund'),
    declines: n('decline'),
  }
}

/** More can be given back in a time than is taken in it. */
function signedText(minor: number, currency: string): string {
  return minor < 0 ? `-${amountText(-minor, currency)}` : amountText(minor, currency)
}
