import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** Each of these reads one entry of an index, whose conditions are said as constants. */
const FIRST_DUE = [
  ['contracts', 'next_due', `status = 'ACTIVE' and started = 1`],
  ['charges', 'next_attempt', `status = 'ACTIVE'`],
  ['payments', 'due', `status = 'SCHEDULED'`],
  ['payment_links', 'expires', `expiry_told = 0`],
  ['checkouts', 'expires', `status = 'OPEN'`],
  ['reversal_reads', 'next_change', `next_change is not null`],
  // A call that is under way is not waited for: its deadline is one of the real clock. What was asked
  // about in vain so often is asked about for ever, every hour, and gets no stops of its own.
  ['attempts', 'next_check', `state <> 'SENT' and (state <> 'UNRESOLVED' or checks < 5)`],
] as const

/**
 * The first time at which something of an instance falls due, later than `after` and not later than
 * `until`; undefined when nothing does. All are date-times as they are stored.
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
