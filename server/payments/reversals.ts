import { type Insertable, sql, type Updateable } from 'kysely'
import type { ReversalRow, ReversalsTable } from '../db/tables/reversals.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { Reversal } from '../../shared/schemas/reversal.ts'
import type { Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { REVERSAL_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

/** The processor's identity of a reversal. */
export type ReversalKey = Pick<ReversalRow, 'instance_id' | 'processor' | 'gateway_reference'>

export async function findReversal(tx: Tx, key: ReversalKey): Promise<ReversalRow | undefined> {
  return tx
    .selectFrom('reversals')
    .selectAll()
    .where('instance_id', '=', key.instance_id)
    .where('processor', '=', key.processor)
    .where('gateway_reference', '=', key.gateway_reference)
    .executeTakeFirst()
}

export async function insertReversal(
  tx: Tx,
  row: Insertable<ReversalsTable>,
): Promise<ReversalRow> {
  return tx.insertInto('reversals').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateReversal(
  tx: Tx,
  id: string,
  change: Updateable<ReversalsTable>,
): Promise<ReversalRow> {
  return tx
    .updateTable('reversals')
    .set({ ...change, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the sum of a payment's open and lost reversals of these types, in minor units. */
export async function sumWithdrawn(
  tx: Tx,
  paymentId: string,
  types: readonly ReversalRow['type'][],
): Promise<number> {
  const { amount } = await tx
    .selectFrom('reversals')
    .select((eb) => eb.fn.sum<number | string | null>('amount').as('amount'))
    .where('payment_id', '=', paymentId)
    .where('type', 'in', [...types])
    .where('status', 'in', ['OPEN', 'LOST'])
    .executeTakeFirstOrThrow()
  return Number(amount ?? 0)
}

/** Throws a 404 ApiError when the instance does not have the reversal. */
export const getReversal = lookup(
  'Reversal',
  REVERSAL_ID,
  (db, instanceId, id): Promise<ReversalRow | undefined> =>
    db
      .selectFrom('reversals')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

export function listReversals(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<ReversalRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('reversals').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

export function serializeReversal(row: ReversalRow): Reversal {
  return {
    id: row.id,
    payment: row.payment_id,
    refund: row.refund_id,
    type: row.type,
    status: row.status,
    amount: amountText(row.amount, row.currency),
    currency: row.currency,
    reason: row.reason,
    due: row.due,
    gateway_reference: row.gateway_reference,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
