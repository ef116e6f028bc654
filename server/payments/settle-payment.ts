import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { serializeAccount } from '../accounts/serialize.ts'
import { recordAccountTransaction } from '../accounts/store.ts'
import { lockEachCharge } from '../charges/update-charge.ts'
import { toJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { outcomeEvent, recordPaymentEvent } from './operation-events.ts'
import { feeColumns, gatewayColumns, type Outcome } from './outcome.ts'
import { savePaidMethod, willSaveMethod } from './save-method.ts'
import { settleCharges } from './settle-charges.ts'
import { listParts, updatePayment } from './store.ts'

export interface SettleContext {
  attempt: AttemptRow
  payment: PaymentRow
  response: ProcessorResponse
  outcome: Outcome
  /** Epoch milliseconds. */
  now: number
}

/**
 * Records the outcome of a payment or authorization: on the payment, its saved method, its account and
 * the charges that it was for. Returns the payment as it is now.
 */
export async function settlePayment(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment, response, outcome } = context
  const now = formatInstant(context.now)
  if (outcome.status === 'SUCCESS' && payment.account_id) {
    const account = await recordAccountTransaction(
      tx,
      payment.account_id,
      attempt.transaction_id,
      now,
    )
    await recordEvent(tx, {
      instanceId: payment.instance_id,
      type: 'account.updated',
      data: { account: serializeAccount(account) },
      now: context.now,
    })
  }
  // Every transaction locks account, charges and method in this order.
  if (willSaveMethod(context)) {
    const charges = (await listParts(tx, [payment.id])).map(({ charge_id }) => charge_id)
    await lockEachCharge(tx, payment.instance_id, charges)
  }
  const methodId = await savePaidMethod(tx, context)
  const approval = response.status === 'APPROVED' ? response : undefined
  const settled = await updatePayment(tx, payment.id, {
    status: outcome.status,
    ...gatewayColumns(outcome),
    payment_method_id: methodId,
    authorised_until: payment.type === 'AUTH' ? (approval?.authorised_until ?? null) : null,
    unsupported: toJson(approval?.unsupported ?? null),
    ...(payment.type === 'PAYMENT' && feeColumns(response)),
    retry_advice: outcome.retryAdvice,
    risk_review: approval?.review ? 1 : 0,
    three_ds: toJson(
      outcome.threeDs && {
        status: outcome.threeDs,
        liability_shift:
          approval?.liability_shift ??
          (outcome.status === 'SUCCESS' && outcome.threeDs === 'CHALLENGED'),
      },
    ),
    processed: outcome.final ? now : null,
    updated: now,
  })
  if (outcome.final && !isSettledWithLink(attempt, outcome)) {
    const paid = outcome.status === 'SUCCESS'
    await settleCharges(tx, { attempt, payment: settled, paid, now: context.now })
  }
  await recordPaymentEvent(tx, outcomeEvent(settled, outcome.status), settled, context.now)
  return settled
}

/**
 * Whether the charges of an attempt that its payer has left wait for the decision whether it still pays
 * the link (`checkouts/set-aside.ts`).
 */
function isSettledWithLink({ set_aside }: AttemptRow, { status }: Outcome): boolean {
  return set_aside === 1 && status === 'SUCCESS'
}
