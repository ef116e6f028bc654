import type { AlertsRow } from '../db/tables/checkout-monitor.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

export async function findAlerts(db: Db, instanceId: string): Promise<AlertsRow | undefined> {
  return ofInstance(db, instanceId).executeTakeFirst()
}

export async function lockAlerts(tx: Tx, instanceId: string): Promise<AlertsRow | undefined> {
  return ofInstance(tx, instanceId).$call(withRowLock(tx, 'update')).executeTakeFirst()
}

function ofInstance(db: Db | Tx, instanceId: string) {
  return db.selectFrom('checkout_alerts').selectAll().where('instance_id', '=', instanceId)
}

/** Returns false when another request has inserted the row. */
export async function insertAlerts(tx: Tx, row: AlertsRow): Promise<boolean> {
  const result = await tx
    .insertInto('checkout_alerts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function updateAlerts(tx: Tx, row: AlertsRow): Promise<void> {
  await tx
    .updateTable('checkout_alerts')
    .set(row)
    .where('instance_id', '=', row.instance_id)
    .execute()
}

/** Lists alerts that are to be evaluated at `now`; see `onTestClock` for `moved`. */
export async function listDueAlerts(
  db: Db,
  now: string,
  limit: number,
  moved?: string,
): Promise<AlertsRow[]> {
  return db
    .selectFrom('checkout_alerts')
    .innerJoin('instances', 'instances.id', 'checkout_alerts.instance_id')
    .selectAll('checkout_alerts')
    .where('checkout_alerts.next_check', 'is not', null)
    .where('checkout_alerts.next_check', '<=', now)
    .where('instances.disabled', 'is', null)
    .where(onTestClock('checkout_alerts.instance_id', moved))
    .orderBy('checkout_alerts.next_check')
    .limit(limit)
    .execute()
}

/**
 * Writes the result of an evaluation. Returns false when the alerts were replaced or evaluated since they
 * were read.
 */
export async function setEvaluated(
  tx: Tx,
  read: AlertsRow,
  change: Pick<AlertsRow, 'alerts' | 'next_check'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('checkout_alerts')
    .set(change)
    .where('instance_id', '=', read.instance_id)
    .where('v', '=', read.v)
    .where('next_check', '=', read.next_check)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
