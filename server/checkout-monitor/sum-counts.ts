import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../db/tables.ts'
import { type Counts, COUNTS, type Dimension, KEY_COLUMNS } from './cells.ts'
import { type Offset, sizeOf, type Span } from './periods.ts'

/** What rows of a report are told apart by. */
export type By = 'day' | 'hour' | Exclude<Dimension, 'currency'>

/** Sums of one row of a report, one currency and one detail. */
export interface CountSum extends Counts {
  /** The value of a dimension, or the number of a day or hour. */
  key: string | number
  /** Index of the offset of an hour. */
  offset: number
  currency: string
  detail: string
}

interface Sums {
  instanceId: string
  span: Span
  where: RawBuilder<SqlBool>
}

/**
 * Sums the counts, and the changes that are not added to them yet, in one statement: a change is seen
 * in exactly one of the two tables.
 */
export async function sumCounts(
  db: Db,
  { instanceId, span, where }: Sums,
  by: By,
  offsets: readonly Offset[],
): Promise<CountSum[]> {
  const { key, offset } = keyOf(by, offsets)
  const of = (table: 'checkout_counts' | 'checkout_count_changes') =>
    db
      .selectFrom(table)
      .select([...KEY_COLUMNS, ...COUNTS])
      .where('instance_id', '=', instanceId)
      .where('slot', '>=', span.from)
      .where('slot', '<', span.to)
  return db
    .selectFrom(of('checkout_counts').unionAll(of('checkout_count_changes')).as('counts'))
    .select([key.as('key'), offset.as('offset'), 'currency', 'detail'])
    .select(COUNTS.map((name) => sumOf(name).as(name)))
    .where(where)
    .groupBy([sql`1`, sql`2`, 'currency', 'detail'])
    .$castTo<CountSum>()
    .execute()
}

/** PostgreSQL would add bigints up to a numeric. */
function sumOf(name: keyof Counts): RawBuilder<number> {
  return sql<number>`cast(sum(${sql.ref(`counts.${name}`)}) as bigint)`
}

/** Returns the number of the day or hour, or the value, of a row of `counts`, whose slots are its times. */
export function keyOf(
  by: By,
  offsets: readonly Offset[],
): { key: RawBuilder<string | number>; offset: RawBuilder<number> } {
  const isHour = by === 'hour'
  if (!isHour && by !== 'day') {
    return { key: sql<string>`${sql.ref(`counts.${by}`)}`, offset: sql<number>`0` }
  }
  const shift = byOffset(offsets, ({ offset }) => offset)
  return {
    key: sql<number>`(counts.slot + ${shift}) / ${sql.lit(sizeOf(by))}`,
    offset: isHour ? byOffset(offsets, (_, index) => index) : sql<number>`0`,
  }
}

/** Returns a number that depends on the zone's offset at a row's slot. */
function byOffset(
  offsets: readonly Offset[],
  valueOf: (offset: Offset, index: number) => number,
): RawBuilder<number> {
  const values = offsets.map((each, index) => ({ ...each, value: sql.lit(valueOf(each, index)) }))
  const cases: Expression<unknown>[] = values
    .slice(1)
    .toReversed()
    .map(({ from, value }) => sql`when counts.slot >= ${sql.lit(from)} then ${value}`)
  const first = values[0]?.value ?? sql.lit(0)
  return cases.length === 0
    ? sql<number>`${first}`
    : sql<number>`case ${sql.join(cases, sql` `)} else ${first} end`
}
