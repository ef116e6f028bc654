import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { getPaymentMethod, markPaymentMethodRemoved } from './store.ts'

/**
 * Throws a ApiError while something is still to be collected from a method. Contracts and charges
 * stand to the right of methods, so `charges/method-in-use.ts` is handed in.
 */
export type AssertNotInUse = (tx: Tx, instanceId: string, methodId: string) => Promise<void>

/**
 * Removes a method: from then on it is neither offered nor charged, and stays readable, because
 * payments and the payer's consent refer to it. A second time changes nothing. Throws 404 for an
 * unknown one, and what `refuseInUse` throws.
 */
export async function removePaymentMethod(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string,
  refuseInUse: AssertNotInUse,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const at = now()
    const isNew = await markPaymentMethodRemoved(tx, instanceId, id, formatInstant(at))
    const payment_method = await getPaymentMethod(tx, instanceId, id, at)
    if (!isNew) return
    // Looked at after the row is taken: a transaction that begins to use it holds it until it ends.
    await refuseInUse(tx, instanceId, id)
    const type = 'payment_method.removed'
    await recordEvent(tx, { instanceId, type, data: { payment_method }, now: at })
  })
}
