import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** Each reads one entry of a partial index, whose condition must be literal. */
const FIRST_DUE = [
  ['contracts', 'next_due', `status = 'ACTIVE' and started = 1`],
  ['charges', 'next_attempt', `status = 'ACTIVE'`],
  ['payments', 'due', `status = 'SCHEDULED'`],
  ['payment_links', 'expires', `expiry_told = 0`],
  ['deep_links', 'expires', `expiry_recorded = 0`],
  ['checkouts', 'expires', `status = 'OPEN'`],
  ['reversal_reads', 'next_change', `next_change is not null`],
  // A call in progress has a deadline on the real clock. After five checks an attempt is checked
  // every hour forever, so the clock does not stop for it.
  ['attempts', 'next_check', `state <> 'SENT' and (state <> 'UNRESOLVED' or checks < 5)`],
  ['method_setups', 'next_check', `state <> 'SENT' and (state <> 'UNRESOLVED' or checks < 5)`],
] as const

/**
 * Returns the first due time of an instance's records that is later than `after` and not later than
 * `until`, or undefined. All are stored date-times.
 */
export async function nextDue(
  db: Db,
  instanceId: string,
  { after, until }: { after: string; until: string },
): Promise<string | undefined> {
  const firsts = FIRST_DUE.map(([table, column, condition]) => {
    const due = sql.ref(column)
    return sql`select min(${due}) as due from ${sql.table(table)}
      where instance_id = ${instanceId} and ${sql.raw(condition)}
        and ${due} is not null and ${due} > ${after} and ${due} <= ${until}`
  })
  const { rows } = await sql<{ due: string | null }>`
    select min(due) as due from (${sql.join(firsts, sql` union all `)}) as firsts`.execute(db)
  return rows[0]?.due ?? undefined
}
