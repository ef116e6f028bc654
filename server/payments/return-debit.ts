import { returnAllocation } from '../charges/allocations.ts'
import { lockCharges } from '../charges/update-charge.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { chargeIds } from './parts.ts'
import { allocateFromLast } from './refund-parts.ts'
import { sumWithdrawn } from './reversals.ts'
import { listParts } from './store.ts'

/**
 * Takes what a bank has returned of a payment from the charges that it was for, from the last to the
 * first, so that they are owed again. What was refunded of a charge before is not owed again. The caller
 * has locked the payment. `now` is epoch milliseconds.
 */
export async function returnToCharges(tx: Tx, payment: PaymentRow, now: number): Promise<void> {
  const parts = await listParts(tx, [payment.id])
  const before = parts.reduce((sum, { returned_amount }) => sum + returned_amount, 0)
  const returned = await sumWithdrawn(tx, payment.id, ['RETURN'])
  const taken = allocateFromLast(parts, Math.max(0, returned - before))
  await lockCharges(tx, payment.instance_id, chargeIds(taken))
  for (const { charge, amount } of taken) {
    await tx
      .updateTable('payment_parts')
      .set((eb) => ({ returned_amount: eb('returned_amount', '+', amount) }))
      .where('payment_id', '=', payment.id)
      .where('charge_id', '=', charge)
      .execute()
    const { instance_id: instanceId } = payment
    await returnAllocation(tx, { instanceId, chargeId: charge, amount, now })
  }
}
