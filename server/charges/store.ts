import type { ChargeRow } from '../db/tables/charges.ts'
import { batchesOf } from '../db/batches.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { CHARGE_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

export async function insertCharge(tx: Tx, row: ChargeRow): Promise<void> {
  await tx.insertInto('charges').values(row).execute()
}

export async function findCharge(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<ChargeRow | undefined> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Gets the charge with an id, or the newest one with an `alt_key`, which is not case-sensitive. Throws a
 * 404 ApiError.
 */
export const lookupCharge = lookup('Charge', CHARGE_ID, findCharge, findChargeByAltKey)

async function findChargeByAltKey(
  db: Db | Tx,
  instanceId: string,
  altKey: string,
): Promise<ChargeRow | undefined> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('alt_key_folded', '=', foldKey(altKey))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function listCharges(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<ChargeRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('charges').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/** Lists what an account owes: its active charges with something outstanding, those due first, first. */
export async function listOwedCharges(
  db: Db,
  instanceId: string,
  accountId: string,
): Promise<ChargeRow[]> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'ACTIVE')
    .where('cancelling', '=', 0)
    .where((eb) => eb('amount', '>', eb.ref('paid_amount')))
    .orderBy((eb) => eb.fn.coalesce('due', eb.val('9999')))
    .orderBy('id')
    .limit(1000)
    .execute()
}

/** Returns the charges in lock order. Ids of other instances are left out. */
export async function listChargesByIds(
  db: Db | Tx,
  instanceId: string,
  ids: readonly string[],
): Promise<ChargeRow[]> {
  const found: ChargeRow[] = []
  for (const batch of batchesOf(ids)) {
    found.push(
      ...(await db
        .selectFrom('charges')
        .selectAll()
        .where('id', 'in', batch)
        .where('instance_id', '=', instanceId)
        .execute()),
    )
  }
  return found.toSorted(inLockOrder)
}

/** Returns the charges in lock order. */
export async function listChargesOfContract(tx: Tx, contractId: string): Promise<ChargeRow[]> {
  const rows = await tx
    .selectFrom('charges')
    .selectAll()
    .where('contract_id', '=', contractId)
    .execute()
  return rows.toSorted(inLockOrder)
}

/** The order in which every transaction locks charges, so that none of them deadlock. */
function inLockOrder(a: ChargeRow, b: ChargeRow): number {
  return a.id < b.id ? -1 : 1
}

/** Throws when there is no such charge. */
export async function lockCharge(tx: Tx, id: string): Promise<ChargeRow> {
  return lockRow(tx, 'charges', id)
}

/** The caller has locked the charge. */
export async function updateCharge(tx: Tx, id: string, change: Partial<ChargeRow>): Promise<void> {
  await tx.updateTable('charges').set(change).where('id', '=', id).execute()
}
