import type { RefundRow } from '../db/rows.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { Refund } from '../../shared/schemas/refund.ts'
import type { GatewayStatus } from '../../shared/schemas/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'

/** Refunds as they are stored and shown (specification: Refund). */

/** Charges that a refund takes money back from, minor units. */
export type RefundParts = { charge: string; amount: number }[]

/** Stores a new refund; false when its reference is taken. */
export async function insertRefund(tx: Tx, row: RefundRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('refunds')
    .values(row)
    .onConflict((conflict) => conflict.columns(['instance_id', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** A refund of this instance; 404 otherwise. */
export async function getRefund(db: Db | Tx, instanceId: string, id: string): Promise<RefundRow> {
  const row = id.includes('\0')
    ? undefined
    : await db
        .selectFrom('refunds')
        .selectAll()
        .where('id', '=', id)
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
  if (!row) throw notFound('Refund')
  return row
}

/** One page of an instance's refunds, and how many match in all. */
export function listRefunds(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<RefundRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('refunds').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

export function partsOf(row: RefundRow): RefundParts {
  return JSON.parse(row.parts) as RefundParts
}

/** The refund as the API shows it. */
export function serializeRefund(row: RefundRow): Refund {
  const text = (minor: number) => amountText(minor, row.currency)
  return {
    id: row.id,
    payment: row.payment_id,
    amount: text(row.amount),
    currency: row.currency,
    reason: row.reason,
    reference: row.reference,
    source_transaction: row.source_transaction_id,
    status: row.status,
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    manual: row.manual === 1,
    offline: row.offline === 1,
    account: row.account_id,
    parts: partsOf(row).map((part) => ({ charge: part.charge, amount: text(part.amount) })),
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
