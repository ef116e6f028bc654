import type { RefundRow } from '../db/tables/refunds.ts'
import type { ReversalRow } from '../db/tables/reversals.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import type { OperationFees, ProcessorReversal } from '../processors/port.ts'
import { returnToCharges } from './return-debit.ts'
import {
  findReversal,
  insertReversal,
  serializeReversal,
  updateReversal,
  sumWithdrawn,
} from './reversals.ts'
import { getPaymentRow, lockPayment, updatePayment } from './store.ts'
import { failRefundLater } from './update-refund.ts'

/** `now` is epoch milliseconds. */
interface Reported {
  instanceId: string
  processor: string
  now: number
}

export interface ReportedReversal extends Reported {
  reversal: ProcessorReversal
}

export interface ReportedFees extends Reported {
  fees: OperationFees
}

export type Recorded = 'RECORDED' | 'UNCHANGED' | 'UNKNOWN'

/**
 * Records the present state of a reversal with its payment and its event, in the caller's transaction.
 * The payment is locked first, so that one of several processes records it. Returns UNKNOWN, and
 * records nothing, when the operation is not a payment of this instance in this currency (for a failed
 * refund: not a refund of that amount), or when the reference belongs to a reversal of another payment.
 */
export async function recordReversal(
  tx: Tx,
  { instanceId, processor, reversal, now }: ReportedReversal,
): Promise<Recorded> {
  const found = await findReversed(tx, { instanceId, processor, reversal })
  if (found === undefined) return 'UNKNOWN'
  const { paymentId } = found
  await lockPayment(tx, paymentId)
  const payment = await getPaymentRow(tx, instanceId, paymentId)
  // A refund whose outcome is still open is settled as declined by its own query.
  const refund = found.refundId && (await lockRow(tx, 'refunds', found.refundId))
  if (refund && refund.status !== 'SUCCESS') return 'UNCHANGED'
  if (refund && refund.amount !== reversal.amount) return 'UNKNOWN'
  const key = { instance_id: instanceId, processor, gateway_reference: reversal.reference }
  const stored = await findReversal(tx, key)
  if (payment.currency !== reversal.currency) return 'UNKNOWN'
  if (stored && stored.payment_id !== paymentId) return 'UNKNOWN'
  const updated = formatInstant(now)
  const { type, status, amount, reason, due } = reversal
  const state = { type, status, amount, reason, due }
  if (stored && isSame(stored, state)) return 'UNCHANGED'
  const row = stored
    ? await updateReversal(tx, stored.id, { ...state, updated })
    : await insertReversal(tx, {
        id: newId('rv', now),
        ...key,
        payment_id: paymentId,
        refund_id: found.refundId ?? null,
        ...state,
        currency: payment.currency,
        created: updated,
        updated,
        v: 1,
      })
  if (refund && refund.failed_later === 0) await failRefundLater(tx, refund, now)
  const settled = await updatePayment(tx, paymentId, {
    disputed_amount: await sumWithdrawn(tx, paymentId, ['DISPUTE', 'RETURN']),
    external_refund_amount: await sumWithdrawn(tx, paymentId, ['EXTERNAL_REFUND']),
    updated,
  })
  if (type === 'RETURN') await returnToCharges(tx, settled, now)
  await recordEvent(tx, {
    instanceId,
    type: reversalEvent(stored, row),
    data: { reversal: serializeReversal(row) },
    now,
  })
  return 'RECORDED'
}

/**
 * Records what the processor kept of a payment or capture. Returns UNKNOWN, and records nothing, when the
 * operation is not one of this instance.
 */
export async function recordFees(
  tx: Tx,
  { instanceId, processor, fees, now }: ReportedFees,
): Promise<Recorded> {
  const { operation } = fees
  const paymentId = await findPaid(tx, { instanceId, processor, operation })
  if (paymentId === undefined) return 'UNKNOWN'
  await lockPayment(tx, paymentId)
  const payment = await getPaymentRow(tx, instanceId, paymentId)
  const change = { fee_amount: fees.fee, net_amount: fees.net, fee_currency: fees.currency }
  const isKnown =
    payment.fee_amount === fees.fee &&
    payment.net_amount === fees.net &&
    payment.fee_currency === fees.currency
  if (isKnown) return 'UNCHANGED'
  await updatePayment(tx, paymentId, { ...change, updated: formatInstant(now) })
  return 'RECORDED'
}

interface Reversed {
  /** The payment or capture. */
  paymentId: string
  /** Only where a refund failed. */
  refundId?: RefundRow['id']
}

/** Returns undefined for an operation of another kind. */
async function findReversed(
  tx: Tx,
  { instanceId, processor, reversal }: Omit<ReportedReversal, 'now'>,
): Promise<Reversed | undefined> {
  const { operation } = reversal
  if (reversal.type !== 'REFUND_FAILED') {
    const paymentId = await findPaid(tx, { instanceId, processor, operation })
    return paymentId === undefined ? undefined : { paymentId }
  }
  const found = await tx
    .selectFrom('attempts')
    .innerJoin('refunds', 'refunds.id', 'attempts.refund_id')
    .select(['refunds.id as refundId', 'refunds.refunded_id as paymentId'])
    .where('attempts.id', '=', operation)
    .where('attempts.instance_id', '=', instanceId)
    .where('attempts.processor', '=', processor)
    .executeTakeFirst()
  return found
}

/** Returns the id of the payment or capture of an operation; undefined for any other operation. */
async function findPaid(
  tx: Tx,
  of: { instanceId: string; processor: string; operation: string },
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select('transactions.payment_id')
    .where('attempts.id', '=', of.operation)
    .where('attempts.instance_id', '=', of.instanceId)
    .where('attempts.processor', '=', of.processor)
    .where('attempts.kind', 'in', ['PAY', 'CAPTURE'])
    .executeTakeFirst()
  return found?.payment_id
}

type State = Pick<ReversalRow, 'type' | 'status' | 'amount' | 'reason' | 'due'>

function isSame(stored: State, reported: State): boolean {
  return (Object.keys(reported) as (keyof State)[]).every((name) => stored[name] === reported[name])
}

/** A reversal that is first reported as closed gets no `reversal.opened`. */
function reversalEvent(stored: State | undefined, { status }: State): EventType {
  if (status !== 'OPEN' && status !== stored?.status) return 'reversal.closed'
  return stored ? 'reversal.updated' : 'reversal.opened'
}
