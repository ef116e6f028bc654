import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record.ts'
import { getPaymentMethod, markRemoved } from './store.ts'

/**
 * Removes a method (`DELETE /payment_methods/{id}`, contract section 20): from then on it is
 * neither offered nor charged, and stays readable, because payments and the payer's consent refer
 * to it. A second time changes nothing. Throws 404 for an unknown one.
 */
export async function removePaymentMethod(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const at = now()
    const isNew = await markRemoved(tx, instanceId, id, formatInstant(at))
    const payment_method = await getPaymentMethod(tx, instanceId, id, at)
    if (!isNew) return
    const type = 'payment_method.removed'
    await recordEvent(tx, { instanceId, type, data: { payment_method }, now: at })
  })
}
