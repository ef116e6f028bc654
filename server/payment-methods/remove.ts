import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import { forgetLater } from './forget.ts'
import { serializePaymentMethod } from './serialize.ts'
import { findPaymentMethodByToken, getPaymentMethod, markPaymentMethodRemoved } from './store.ts'

/** Throws an ApiError while a contract or charge will still be collected from a method. */
export type AssertNotInUse = (tx: Tx, instanceId: string, methodId: string) => Promise<void>

/**
 * Marks a method as removed, and has its processor forget it later. It is no longer offered or charged,
 * but stays readable, because payments refer to it. A second call changes nothing. Throws a 404
 * ApiError, and what `assertNotInUse` throws.
 */
export async function removePaymentMethod(
  { db, now: clock }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string,
  assertNotInUse: AssertNotInUse,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock()
    const removed = await markPaymentMethodRemoved(tx, instanceId, id, formatInstant(now))
    if (!removed) {
      await getPaymentMethod(tx, instanceId, id, now)
      return
    }
    // Checked after the row is locked: a transaction that starts to use the method locks it as well.
    await assertNotInUse(tx, instanceId, id)
    await forgetLater(tx, removed)
    await recordRemoval(tx, removed, now)
  })
}

/**
 * Marks a method as removed that its processor has removed, also while a contract or charge uses it: it
 * cannot be charged any more. Does nothing for a token that no method has.
 */
export async function removeDetachedMethod(
  { db, now: clock }: Pick<Deps, 'db' | 'now'>,
  token: Pick<PaymentMethodRow, 'instance_id' | 'processor' | 'processor_token'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const found = await findPaymentMethodByToken(tx, token)
    if (!found) return
    const now = clock()
    const { instance_id, id } = found
    const removed = await markPaymentMethodRemoved(tx, instance_id, id, formatInstant(now))
    if (removed) await recordRemoval(tx, removed, now)
  })
}

async function recordRemoval(tx: Tx, removed: PaymentMethodRow, now: number): Promise<void> {
  const { instance_id: instanceId, id } = removed
  const payment_method = serializePaymentMethod(await getPaymentMethod(tx, instanceId, id, now))
  const type = 'payment_method.removed'
  await recordEvent(tx, { instanceId, type, data: { payment_method }, now })
}
