import { amountText } from '../../shared/rules/currency.ts'
import type { CheckoutReport, CheckoutReportRow } from '../../shared/schemas/checkout-monitor.ts'
import { DECLINE, PAID, SESSION_COUNTS, type SessionCount } from './cells.ts'
import { medianSeconds } from './pay-times.ts'
import { type Period, ROWS_MAX } from './periods.ts'
import type { CountSum } from './sum-counts.ts'

/** Sums of sessions, which are added up and then written as a row or as the totals. */
interface Tally {
  counts: Record<SessionCount, number>
  /** Minor units by currency. */
  amounts: Map<string, number>
  payTimes: Map<number, number>
  declines: Map<string, number>
}

type Report = Pick<
  CheckoutReport,
  'totals' | 'rates' | 'median_seconds_to_pay' | 'rows' | 'rows_omitted' | 'declines'
>

/** Makes a report of sums by dimension, or of those by `periods`. */
export function buildReport(sums: readonly CountSum[], periods?: readonly Period[]): Report {
  const all = newTally()
  const rows = new Map<string, Tally>()
  for (const { number, offset } of periods ?? []) rows.set(`${number}/${offset}`, newTally())
  for (const sum of sums) {
    const key = periods ? `${sum.key}/${sum.offset}` : String(sum.key)
    const tally = rows.get(key) ?? newTally()
    rows.set(key, tally)
    addSum(tally, sum)
    addSum(all, sum)
  }
  const kept = periods
    ? periods.map(({ key, number, offset }) => ({ key, tally: rows.get(`${number}/${offset}`) }))
    : largest(rows)
  return {
    totals: totalsOf(all),
    rates: ratesOf(all),
    median_seconds_to_pay: medianSeconds(all.payTimes),
    rows: kept.slice(0, ROWS_MAX).map(({ key, tally = newTally() }) => ({ key, ...rowOf(tally) })),
    rows_omitted: Math.max(0, kept.length - ROWS_MAX),
    declines: [...all.declines]
      .map(([code, count]) => ({ code, count }))
      .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  }
}

/** Rows with most sessions first; an empty key is null. Rows that sessions have left are gone. */
function largest(rows: ReadonlyMap<string, Tally>) {
  return [...rows]
    .filter(([, { counts, declines }]) => counts.opened > 0 || declines.size > 0)
    .toSorted(([a, one], [b, two]) => two.counts.opened - one.counts.opened || (a < b ? -1 : 1))
    .map(([key, tally]) => ({ key: key === '' ? null : key, tally }))
}

function newTally(): Tally {
  return {
    counts: Object.fromEntries(SESSION_COUNTS.map((name) => [name, 0])) as Tally['counts'],
    amounts: new Map(),
    payTimes: new Map(),
    declines: new Map(),
  }
}

function addSum(tally: Tally, sum: CountSum): void {
  for (const name of SESSION_COUNTS) tally.counts[name] += sum[name]
  if (sum.amount !== 0) addTo(tally.amounts, sum.currency, sum.amount)
  if (sum.occurrences === 0) return
  if (sum.detail.startsWith(PAID)) {
    addTo(tally.payTimes, Number(sum.detail.slice(PAID.length)), sum.occurrences)
  }
  if (sum.detail.startsWith(DECLINE)) {
    addTo(tally.declines, sum.detail.slice(DECLINE.length), sum.occurrences)
  }
}

function addTo<K>(sums: Map<K, number>, key: K, count: number): void {
  sums.set(key, (sums.get(key) ?? 0) + count)
}

function totalsOf({ counts, amounts }: Tally): CheckoutReport['totals'] {
  const { amount: _sum, ...sessions } = counts
  const byCurrency = [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const amount = byCurrency.map(([currency, sum]) => [currency, amountText(sum, currency)])
  return { ...sessions, amount: Object.fromEntries(amount) as Record<string, string> }
}

function ratesOf({ counts }: Tally): CheckoutReport['rates'] {
  return {
    submit: rateText(counts.submitted, counts.opened),
    approval: rateText(counts.completed, counts.submitted),
    conversion: rateText(counts.completed, counts.opened),
  }
}

function rowOf(tally: Tally): Omit<CheckoutReportRow, 'key'> {
  return {
    ...totalsOf(tally),
    rates: ratesOf(tally),
    median_seconds_to_pay: medianSeconds(tally.payTimes),
  }
}

/** Returns a rate with four decimals; null without a session that it is the rate of. */
export function rateText(part: number, of: number): string | null {
  return of === 0 ? null : (Math.round((part * 10_000) / of) / 10_000).toFixed(4)
}
