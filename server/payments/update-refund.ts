import { sql, type Updateable } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { refundAllocation } from '../charges/allocations.ts'
import { lockCharges } from '../charges/update-charge.ts'
import type { RefundRow, RefundsTable } from '../db/tables/refunds.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { REFUND_EVENTS } from './operation-events.ts'
import { chargeIds } from './parts.ts'
import { releaseRefundParts } from './refund-parts.ts'
import { parseStoredParts, serializeRefund } from './refunds.ts'
import { releaseAmount } from './store.ts'

/**
 * Moves a refund to its next status and records the event. A successful one lowers what its charges
 * have received; a failed one gives its amount back to the payment. `now` is epoch milliseconds.
 */
export async function updateRefund(
  tx: Tx,
  id: string,
  change: Updateable<RefundsTable>,
  { final, now }: { final: boolean; now: number },
): Promise<RefundRow> {
  const updated = formatInstant(now)
  const refund = await tx
    .updateTable('refunds')
    .set({
      ...change,
      processed: final ? updated : null,
      updated,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (refund.status === 'SUCCESS') await refundCharges(tx, refund, now)
  else if (final) {
    const { amount } = refund
    // The payment before its parts, in the order in which a new refund locks them.
    await releaseAmount(tx, refund.refunded_id, { sum: 'refunded_amount', amount }, updated)
    await releaseRefundParts(tx, refund.refunded_id, parseStoredParts(refund))
  }
  await recordRefundEvent(tx, refund, now)
  return refund
}

/**
 * Records that the money of a successful refund came back, so that its amount can be refunded again. The
 * refund keeps its status, and is marked. The caller has locked its payment. `now` is epoch milliseconds.
 */
export async function failRefundLater(tx: Tx, before: RefundRow, now: number): Promise<void> {
  const updated = formatInstant(now)
  const refund = await tx
    .updateTable('refunds')
    .set({ failed_later: 1, updated, v: sql<number>`v + 1` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { amount } = refund
  await releaseAmount(tx, refund.refunded_id, { sum: 'refunded_amount', amount }, updated)
  await releaseRefundParts(tx, refund.refunded_id, parseStoredParts(refund))
  await refundCharges(tx, refund, now, -1)
  await recordEvent(tx, {
    instanceId: refund.instance_id,
    type: 'refund.failed',
    data: { refund: serializeRefund(refund) },
    now,
  })
}

/** Adds a refund to the refunded amounts of its charges; subtracts it with `sign` -1. */
export async function refundCharges(
  tx: Tx,
  refund: RefundRow,
  now: number,
  sign: 1 | -1 = 1,
): Promise<void> {
  const parts = parseStoredParts(refund)
  await lockCharges(tx, refund.instance_id, chargeIds(parts))
  for (const part of parts) {
    await refundAllocation(tx, {
      instanceId: refund.instance_id,
      chargeId: part.charge,
      amount: sign * part.amount,
      now,
    })
  }
}

export function recordRefundEvent(tx: Tx, refund: RefundRow, now: number): Promise<void> {
  return recordEvent(tx, {
    instanceId: refund.instance_id,
    type: REFUND_EVENTS[refund.status],
    data: { refund: serializeRefund(refund) },
    now,
  })
}
