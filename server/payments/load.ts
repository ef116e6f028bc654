import type { LoadMany } from '../http/expand.ts'
import { serializeTransaction } from './serialize.ts'
import { serializePayments } from './store.ts'

/** For `expand=payment` (contract section 15.4). */
export const loadPayments: LoadMany = async ({ db, now }, instanceId, ids) => {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  const records = await serializePayments(db, rows, now())
  return new Map(records.map((record) => [record.id, record]))
}

/** For `expand=transaction` and its kin (contract sections 10.3 and 15.4). */
export const loadTransactions: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('transactions')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map((row) => [row.id, serializeTransaction(row)]))
}
