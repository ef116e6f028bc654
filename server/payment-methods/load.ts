import type { LoadMany } from '../http/expand.ts'
import { serializePaymentMethod } from './serialize.ts'
import { listPaymentMethodsByIds } from './store.ts'

/** For `expand=payment_method` (contract section 15.4). */
export const loadPaymentMethods: LoadMany = async ({ db, now }, instanceId, ids) => {
  const rows = await listPaymentMethodsByIds(db, instanceId, ids, now())
  return new Map(rows.map((row) => [row.id, serializePaymentMethod(row)]))
}
