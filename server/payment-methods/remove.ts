import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializePaymentMethod } from './serialize.ts'
import { getPaymentMethod, markPaymentMethodRemoved } from './store.ts'

/** Throws an ApiError while a contract or charge will still be collected from a method. */
export type AssertNotInUse = (tx: Tx, instanceId: string, methodId: string) => Promise<void>

/**
 * Marks a method as removed. It is no longer offered or charged, but stays readable, because payments
 * refer to it. A second call changes nothing. Throws a 404 ApiError, and what `assertNotInUse` throws.
 */
export async function removePaymentMethod(
  { db, now: clock }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string,
  assertNotInUse: AssertNotInUse,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock()
    const isRemoved = await markPaymentMethodRemoved(tx, instanceId, id, formatInstant(now))
    const payment_method = serializePaymentMethod(await getPaymentMethod(tx, instanceId, id, now))
    if (!isRemoved) return
    // Checked after the row is locked: a transaction that starts to use the method locks it as well.
    await assertNotInUse(tx, instanceId, id)
    const type = 'payment_method.removed'
    await recordEvent(tx, { instanceId, type, data: { payment_method }, now })
  })
}
