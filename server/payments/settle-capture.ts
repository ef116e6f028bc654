import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { CAPTURE_EVENTS } from './operation-events.ts'
import { gatewayColumns } from './outcome.ts'
import type { SettleContext } from './settle-payment.ts'
import { releaseRemainder, releaseAmount, serializePayments, updatePayment } from './store.ts'

/** Records the outcome of a capture. A failed one gives its amount back to the authorization. */
export async function settleCapture(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: capture, outcome } = context
  const now = formatInstant(context.now)
  const settled = await updatePayment(tx, capture.id, {
    status: outcome.status,
    ...gatewayColumns(outcome),
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
  const [record] = await serializePayments(tx, [settled], context.now)
  await recordEvent(tx, {
    instanceId: capture.instance_id,
    type: CAPTURE_EVENTS[outcome.status],
    data: { capture: record },
    now: context.now,
  })
  return settled
}
