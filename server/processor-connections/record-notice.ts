import { formatInstant } from '../../shared/rules/time.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { ProcessorNotice } from '../processors/port.ts'

/** Brings forward when a processor is asked. Times are epoch milliseconds. */
export interface Expedite {
  operations: (
    tx: Tx,
    connection: Connection,
    operations: readonly string[],
    now: number,
  ) => Promise<void>
  changes: (tx: Tx, connection: Connection, now: number) => Promise<void>
}

type Connection = Pick<ProcessorConnectionRow, 'id' | 'instance_id'>

const HEARD_MS = 60_000
/** Longer than any processor sends a notification again. */
const RETENTION_MS = 30 * 86_400_000
const BATCH = 1000

/**
 * Records a notification, and brings forward when its processor is asked. One that was recorded before
 * changes nothing.
 */
export async function recordNotice(
  { db, realNow }: Pick<Deps, 'db' | 'realNow'>,
  {
    connection,
    notice,
    expedite,
  }: { connection: ProcessorConnectionRow; notice: ProcessorNotice; expedite: Expedite },
): Promise<void> {
  const now = realNow()
  await inTransaction(db, async (tx) => {
    const inserted = await tx
      .insertInto('processor_notices')
      .values({ connection_id: connection.id, id: notice.id, received: formatInstant(now) })
      .onConflict((conflict) => conflict.columns(['connection_id', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) {
      await expedite.operations(tx, connection, notice.operations, now)
      if (notice.changes) await expedite.changes(tx, connection, now)
    }
    await recordHeard(tx, connection, now)
  })
}

/** Accurate to a minute, so that notifications at the same time do not wait for the row. */
async function recordHeard(
  tx: Tx,
  { id, last_heard }: ProcessorConnectionRow,
  now: number,
): Promise<void> {
  if (last_heard !== null && Math.abs(now - Date.parse(last_heard)) < HEARD_MS) return
  await tx
    .updateTable('processor_connections')
    .set({ last_heard: formatInstant(now) })
    .where('id', '=', id)
    .execute()
}

/** Deletes notifications after thirty days, when they cannot be sent again any more. */
export async function pruneNotices({ db, realNow }: Pick<Deps, 'db' | 'realNow'>): Promise<void> {
  const before = formatInstant(realNow() - RETENTION_MS)
  for (;;) {
    const old = await db
      .selectFrom('processor_notices')
      .select(['connection_id', 'id'])
      .where('received', '<', before)
      .orderBy('received')
      .limit(BATCH)
      .execute()
    for (const { connection_id, id } of old) {
      await db
        .deleteFrom('processor_notices')
        .where('connection_id', '=', connection_id)
        .where('id', '=', id)
        .execute()
    }
    if (old.length < BATCH) return
  }
}
