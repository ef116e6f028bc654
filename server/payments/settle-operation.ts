import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import {
  outcomeEvent,
  recordPaymentEvent,
  REFUND_OR_VOID_STATUS,
  VOID_EVENTS,
} from './operation-events.ts'
import { feeColumns, gatewayColumns } from './outcome.ts'
import type { SettleContext } from './settle-payment.ts'
import { lockPayment, releaseAmount, releaseRemainder, updatePayment } from './store.ts'
import { updateRefund } from './update-refund.ts'
import { serializeVoid, sumVoided } from './voids.ts'

/** Records the outcome of a capture. A failed one gives its amount back to the authorization. */
export async function settleCapture(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: capture, response, outcome } = context
  const now = formatInstant(context.now)
  const settled = await updatePayment(tx, capture.id, {
    status: outcome.status,
    ...gatewayColumns(outcome),
    ...feeColumns(response),
    processed: outcome.final ? now : null,
    updated: now,
  })
  const authorizationId = capture.authorisation_id as string
  if (outcome.final && outcome.status !== 'SUCCESS') {
    const { amount } = capture
    await releaseAmount(tx, authorizationId, { sum: 'captured_amount', amount }, now)
  } else if (outcome.final && attempt.rest === 'RELEASED') {
    await releaseRemainder(tx, authorizationId, now)
  }
  await recordPaymentEvent(tx, outcomeEvent(settled, outcome.status), settled, context.now)
  return settled
}

/** Records the outcome of a refund. A failed one gives its amount back to the payment. */
export async function settleRefund(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment, response, outcome, now } = context
  const status: RefundRow['status'] =
    response.status === 'DECLINED' && response.code === 'INVALID_METHOD'
      ? 'INVALID_PAYMENT_METHOD'
      : REFUND_OR_VOID_STATUS[outcome.status]
  const change = { status, ...gatewayColumns(outcome) }
  await updateRefund(tx, attempt.refund_id as string, change, { final: outcome.final, now })
  return payment
}

/** Records the outcome of a void. A failed one gives its amount back to the authorization. */
export async function settleVoid(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: auth, outcome } = context
  const now = formatInstant(context.now)
  const { gateway_reference: _ours, ...gateway } = gatewayColumns(outcome)
  const row = await tx
    .updateTable('voids')
    .set({
      status: REFUND_OR_VOID_STATUS[outcome.status],
      ...gateway,
      processed: outcome.final ? now : null,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', attempt.void_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const event = VOID_EVENTS[row.status]
  if (event) {
    await recordEvent(tx, {
      instanceId: row.instance_id,
      type: event,
      data: { void: serializeVoid(row) },
      now: context.now,
    })
  }
  if (!outcome.final) return auth
  if (outcome.status !== 'SUCCESS') {
    return releaseAmount(tx, auth.id, { sum: 'released_amount', amount: row.amount }, now)
  }
  await lockPayment(tx, auth.id)
  const all = (await sumVoided(tx, auth.id)) === auth.amount
  const settled = await updatePayment(tx, auth.id, {
    ...(all ? { status: 'VOIDED' } : {}),
    updated: now,
  })
  await recordPaymentEvent(tx, 'payment.voided', settled, context.now)
  return settled
}
