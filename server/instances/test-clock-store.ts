import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Instance } from '../db/rows.ts'
import type { Db, Tx } from '../db/tables.ts'

/** Instances whose test clock was moved, which have their due work done apart from all others. */
export type MovedInstance = Pick<Instance, 'id' | 'clock_target'> & { clock_offset_ms: number }

type InstanceColumn =
  | 'attempts.instance_id'
  | 'charges.instance_id'
  | 'checkouts.instance_id'
  | 'contracts.instance_id'
  | 'instances.id'
  | 'payment_links.instance_id'
  | 'payments.instance_id'

/**
 * For queries of jobs: what belongs to the instance `moved`, whose clock was moved, or without it to the
 * instances whose clock was not. So each row is due by one clock only.
 */
export function ofClock(column: InstanceColumn, moved: string | undefined): RawBuilder<SqlBool> {
  const instance = sql.ref(column)
  return moved === undefined
    ? sql<SqlBool>`${instance} not in
        (select instances.id from instances where instances.clock_offset_ms is not null)`
    : sql<SqlBool>`${instance} = ${moved}`
}

/** Every instance whose clock was moved, those that are disabled left out. */
export async function listMoved(db: Db): Promise<MovedInstance[]> {
  return moved(db).execute()
}

/** One of them; undefined for an instance whose clock was never moved, or that is disabled. */
export async function findMoved(db: Db, id: string): Promise<MovedInstance | undefined> {
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

/** Sets where the clock of an instance is to move, a date-time on that clock, and from where. */
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

/**
 * Moves the clock of an instance on, from the offset with which it was read. False when it has another
 * one by now, or is not moving any more.
 */
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
