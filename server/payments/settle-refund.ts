import type { PaymentRow, RefundRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { REFUND_OR_VOID_STATUS } from './operation-events.ts'
import { gatewayColumns } from './outcome.ts'
import type { SettleContext } from './settle-payment.ts'
import { updateRefund } from './update-refund.ts'

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
