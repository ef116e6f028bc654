import type { Selectable } from 'kysely'
import type { Db, Tables } from '../server/db/tables.ts'

type Rows<T extends keyof Tables> = readonly Selectable<Tables[T]>[]

export interface CountedRecords {
  checkouts: Rows<'checkouts'>
  attempts: Rows<'attempts'>
  payments: Rows<'payments'>
  counts: Rows<'checkout_counts'>
  changes: Rows<'checkout_count_changes'>
}

/** Counts by quarter of an hour, properties of the session and what is counted. */
export type CountsByKey = ReadonlyMap<string, number>

const MEASURES = [
  'opened',
  'details_done',
  'method_chosen',
  'submitted',
  'challenged',
  'completed',
  'pending',
  'declined',
  'abandoned',
  'expired',
  'amount',
] as const

const QUARTER_MS = 900_000

/** Returns the stored counts and the changes that are not in them yet, without zeros. */
export function storedCounts({
  counts,
  changes,
}: Pick<CountedRecords, 'counts' | 'changes'>): CountsByKey {
  const sums = new Map<string, number>()
  for (const row of [...counts, ...changes]) {
    const of = [row.currency, row.language, row.branding, row.channel, row.method, row.processor]
    const key = [row.instance_id, Math.floor(row.slot / 3), ...of, row.deep_link]
    for (const measure of MEASURES) add(sums, [...key, measure], row[measure])
    add(sums, [...key, row.detail], row.occurrences)
  }
  return withoutZeros(sums)
}

/** Counts the sessions themselves, apart from the program, which never does. */
export function recount({
  checkouts,
  attempts,
  payments,
}: Pick<CountedRecords, 'checkouts' | 'attempts' | 'payments'>): CountsByKey {
  const sums = new Map<string, number>()
  const paymentOf = new Map(payments.map((payment) => [payment.id, payment]))
  for (const checkout of checkouts) {
    const own = attempts.filter(({ checkout_id }) => checkout_id === checkout.id)
    const declined = own.filter(({ payment_id }) => paymentOf.get(payment_id)?.status === 'DECLINE')
    const paid = own.find(
      ({ payment_id }) =>
        ['SUCCESS', 'VOIDED'].includes(paymentOf.get(payment_id)?.status ?? '') &&
        paymentOf.get(payment_id)?.surplus === 0,
    )
    const isPaid = checkout.status === 'COMPLETED'
    const newest = own.toSorted((a, b) => (a.created + a.id < b.created + b.id ? 1 : -1))[0]
    const key = (attempt = isPaid ? paid : newest) => [
      checkout.instance_id,
      Math.floor(Date.parse(checkout.created) / QUARTER_MS),
      checkout.currency ?? '',
      checkout.language,
      checkout.branding ?? '',
      checkout.channel ?? '',
      attempt?.method_type ?? '',
      attempt?.processor ?? '',
      checkout.personal === 1 ? '' : (checkout.deep_link_id ?? ''),
    ]
    const milestones = JSON.parse(checkout.milestones) as Record<string, string>
    const amounts = isPaid ? (paymentOf.get(paid?.payment_id ?? '')?.amount ?? Number.NaN) : 0
    const values = {
      opened: 1,
      details_done: 'details_done' in milestones,
      method_chosen: 'method_chosen' in milestones,
      submitted: own.length > 0,
      challenged: 'challenged' in milestones,
      completed: isPaid,
      pending: checkout.status === 'PENDING',
      declined: declined.length > 0,
      abandoned: checkout.status === 'ABANDONED',
      expired: checkout.status === 'EXPIRED',
      amount: amounts,
    }
    for (const measure of MEASURES) add(sums, [...key(), measure], Number(values[measure]))
    if (isPaid) add(sums, [...key(), 'paid'], 1)
    for (const attempt of declined) {
      add(sums, [...key(attempt), `decline:${attempt.decline_code}`], 1)
    }
  }
  return withoutZeros(sums)
}

/** Returns a line for each difference between what is counted and what is there. */
export function countDifferences(records: CountedRecords, pruned: CountsByKey = new Map()) {
  const stored = withoutPayTimes(storedCounts(records))
  const expected = new Map(recount(records))
  for (const [key, count] of pruned) expected.set(key, (expected.get(key) ?? 0) + count)
  return [...new Set([...stored.keys(), ...expected.keys()])]
    .filter((key) => (stored.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map((key) => `${key}: ${stored.get(key) ?? 0} instead of ${expected.get(key) ?? 0}`)
}

export async function readCountedRecords(db: Db, instanceId?: string): Promise<CountedRecords> {
  const all = <T extends keyof Tables>(table: T) =>
    db
      .selectFrom(table as 'payments')
      .selectAll()
      .$if(instanceId !== undefined, (query) =>
        query.where('instance_id', '=', instanceId as string),
      )
      .execute() as unknown as Promise<Rows<T>>
  return {
    checkouts: await all('checkouts'),
    attempts: await all('attempts'),
    payments: await all('payments'),
    counts: await all('checkout_counts'),
    changes: await all('checkout_count_changes'),
  }
}

/** The time of each payment is checked elsewhere; here each has one. */
function withoutPayTimes(counts: CountsByKey): CountsByKey {
  const sums = new Map<string, number>()
  for (const [key, count] of counts) add(sums, [key.replace(/paid:\d+$/, 'paid')], count)
  return sums
}

function add(sums: Map<string, number>, key: readonly unknown[], count: number): void {
  const text = key.join('|')
  sums.set(text, (sums.get(text) ?? 0) + count)
}

function withoutZeros(sums: ReadonlyMap<string, number>): CountsByKey {
  return new Map([...sums].filter(([, count]) => count !== 0))
}
