import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import type { Db, Tx } from '../db/tables.ts'

/** An instance whose test clock was moved. Its due work runs apart from all others. */
export type MovedInstance = Pick<Instance, 'id' | 'clock_target'> & { clock_offset_ms: number }

type InstanceColumn =
  | 'attempts.instance_id'
  | 'charges.instance_id'
  | 'checkout_alerts.instance_id'
  | 'checkouts.instance_id'
  | 'contracts.instance_id'
  | 'deep_links.instance_id'
  | 'instances.id'
  | 'method_setups.instance_id'
  | 'payment_links.instance_id'
  | 'payments.instance_id'

/**
 * Condition for the queries of jobs: rows of the instance `moved`, whose clock was moved, or without
 * it, rows of the instances on the real clock. Each row is due by one clock only.
 */
export function onTestClock(
  column: InstanceColumn,
  moved: string | undefined,
): RawBuilder<SqlBool> {
  const instance = sql.ref(column)
  return moved === undefined
    ? sql<SqlBool>`${instance} not in
        (select instances.id from instances where instances.clock_offset_ms is not null)`
    : sql<SqlBool>`${instance} = ${moved}`
}

/** Returns the enabled instances whose clock was moved. */
export async function listMoved(db: Db): Promise<MovedInstance[]> {
  return moved(db).execute()
}

export async function findInstanceWithMovedClock(
  db: Db,
  id: string,
): Promise<MovedInstance | undefined> {
  return moved(db).where('id', '=', id).executeTakeFirst()
}

function moved(db: Db) {
  return db
    .selectFrom('instances')
    .select(['id', 'clock_target'])
    .select((eb) => eb.ref('clock_offset_ms').$notNull().as('clock_offset_ms'))
    .where('clock_offset_ms', 'is not', null)
    .where('disabled', 'is', null)
}

/** Sets the target of a clock, a date-time on that clock, and its current offset. */
export async function setClockTarget(
  tx: Tx,
  { id, clock_offset_ms, clock_target }: MovedInstance,
): Promise<void> {
  await tx
    .updateTable('instances')
    .set({ clock_offset_ms, clock_target })
    .where('id', '=', id)
    .execute()
}

/** Advances a clock. Returns false when it has changed since it was read. */
export async function moveClock(
  tx: Tx,
  read: MovedInstance,
  to: { offsetMs: number; isThere: boolean },
): Promise<boolean> {
  const result = await tx
    .updateTable('instances')
    .set({ clock_offset_ms: to.offsetMs, ...(to.isThere ? { clock_target: null } : {}) })
    .where('id', '=', read.id)
    .where('clock_offset_ms', '=', read.clock_offset_ms)
    .where('clock_target', '=', read.clock_target)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
