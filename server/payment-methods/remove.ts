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
  const at = now()
  // Also the look that answers 404, before anything is asked with what is no id.
  await getPaymentMethod(db, instanceId, id, at)
  await inTransaction(db, async (tx) => {
    if (!(await markRemoved(tx, instanceId, id, formatInstant(at)))) return
    await recordEvent(tx, {
      instanceId,
      type: 'payment_method.removed',
      data: { payment_method: await getPaymentMethod(tx, instanceId, id, at) },
      now: at,
    })
  })
}
