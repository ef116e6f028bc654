import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { CheckoutAlert } from '../../shared/schemas/checkout-alert.ts'
import { literal } from '../db/partial-index.ts'
import type { Db } from '../db/tables.ts'
import { SLOT_MS } from './cells.ts'
import type { Measured } from './alert-status.ts'

/** Measures what an alert is about, in its window before `now` (epoch ms). */
export async function measure(
  db: Db,
  instanceId: string,
  alert: Pick<CheckoutAlert, 'measure' | 'window_minutes'>,
  now: number,
): Promise<Measured> {
  const from = Math.floor((now - alert.window_minutes * 60_000) / SLOT_MS)
  if (alert.measure === 'UNRESOLVED') {
    return { value: await countUnresolved(db, instanceId, from * SLOT_MS), sessions: null }
  }
  const { opened, submitted, completed } = await countSessions(db, instanceId, from)
  switch (alert.measure) {
    case 'APPROVAL':
      return { value: submitted === 0 ? 0 : completed / submitted, sessions: submitted }
    case 'CONVERSION':
      return { value: opened === 0 ? 0 : completed / opened, sessions: opened }
    case 'SUBMITTED':
      return { value: submitted, sessions: opened }
  }
}

async function countSessions(db: Db, instanceId: string, from: number) {
  const of = (table: 'checkout_counts' | 'checkout_count_changes') =>
    db
      .selectFrom(table)
      .select(['opened', 'submitted', 'completed'])
      .where('instance_id', '=', instanceId)
      .where('slot', '>=', from)
  const sum = (name: string) =>
    sql<number>`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint)`.as(name)
  return db
    .selectFrom(of('checkout_counts').unionAll(of('checkout_count_changes')).as('counts'))
    .select([sum('opened'), sum('submitted'), sum('completed')])
    .$castTo<{ opened: number; submitted: number; completed: number }>()
    .executeTakeFirstOrThrow()
}

async function countUnresolved(db: Db, instanceId: string, from: number): Promise<number> {
  const { count } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('instance_id', '=', instanceId)
    .where('status', '=', literal('UNRESOLVED'))
    .where('created', '>=', formatInstant(from))
    .executeTakeFirstOrThrow()
  return count
}
