import type { VoidRow } from '../db/tables/voids.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { GatewayStatus } from '../../shared/schemas/transaction.ts'
import type { Void } from '../../shared/schemas/void.ts'
import type { Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { VOID_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

export async function insertVoid(tx: Tx, row: VoidRow): Promise<void> {
  await tx.insertInto('voids').values(row).execute()
}

/** Throws a 404 ApiError when the instance does not have the void. */
export const getVoid = lookup('Void', VOID_ID, (db, instanceId, id): Promise<VoidRow | undefined> =>
  db
    .selectFrom('voids')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst(),
)

/** Returns the sum of successful voids, in minor units. */
export async function sumVoided(tx: Tx, authorizationId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('voids')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount'), eb.lit(0)).as('total'))
    .where('payment_id', '=', authorizationId)
    .where('status', '=', 'SUCCESS')
    .executeTakeFirstOrThrow()
  return total
}

export function listVoids(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<VoidRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('voids').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

export function serializeVoid(row: VoidRow): Void {
  return {
    id: row.id,
    payment: row.payment_id,
    transaction: row.transaction_id,
    amount: amountText(row.amount, row.currency),
    currency: row.currency,
    status: row.status,
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
