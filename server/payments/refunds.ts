import type { RefundRow } from '../db/tables/refunds.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { Refund } from '../../shared/schemas/refund.ts'
import type { GatewayStatus } from '../../shared/schemas/transaction.ts'
import type { Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { REFUND_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'
import type { Part } from './parts.ts'

/** Returns false when the reference is taken. */
export async function insertRefund(tx: Tx, row: RefundRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('refunds')
    .values(row)
    .onConflict((conflict) => conflict.columns(['instance_id', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Throws a 404 ApiError when the instance does not have the refund. */
export const getRefund = lookup(
  'Refund',
  REFUND_ID,
  (db, instanceId, id): Promise<RefundRow | undefined> =>
    db
      .selectFrom('refunds')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

export function listRefunds(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<RefundRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('refunds').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

export function parseStoredParts(row: RefundRow): Part[] {
  return JSON.parse(row.parts) as Part[]
}

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
    failed_later: row.failed_later === 1,
    account: row.account_id,
    legal_entity: row.legal_entity_id,
    parts: parseStoredParts(row).map((part) => ({
      charge: part.charge,
      amount: text(part.amount),
    })),
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
