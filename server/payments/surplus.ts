import { formatInstant } from '../../shared/rules/time.ts'
import type { AttemptRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { recordPaymentEvent } from './operation-events.ts'
import { updatePayment } from './store.ts'

/**
 * Marks the payment of a final attempt as surplus: its money arrived when the link was paid already, or
 * after a decline. The reconciler refunds it at once. Marks it once: returns false for an attempt that
 * is marked already, or whose operation moved no money. `now` is epoch milliseconds; `reference` is the
 * processor's, where the payment may lack it.
 */
export async function markSurplus(
  tx: Tx,
  { id, payment_id }: Pick<AttemptRow, 'id' | 'payment_id'>,
  { now, reference }: { now: number; reference?: string },
): Promise<boolean> {
  const at = formatInstant(now)
  const marked = await tx
    .updateTable('attempts')
    .set({ rest: 'REFUND', next_check: at, checks: 0, updated: at })
    .where('id', '=', id)
    .where('kind', '=', 'PAY')
    .where('state', '=', 'DONE')
    .where('rest', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!marked) return false
  const payment = await updatePayment(tx, payment_id, {
    surplus: 1,
    ...(reference !== undefined && { gateway_reference: reference }),
    updated: at,
  })
  await recordPaymentEvent(tx, 'payment.surplus', payment, now)
  return true
}
