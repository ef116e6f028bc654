import type { AttemptRow, PaymentRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { serializeAccount } from '../accounts/serialize.ts'
import { recordAccountTransaction } from '../accounts/store.ts'
import { cancelContract } from '../charges/cancel-contract.ts'
import { findCharge } from '../charges/store.ts'
import { scheduleRetry } from '../charges/collection-schedule.ts'
import { createUncollectedCharges } from '../charges/recurring-charges.ts'
import { settleAllocation } from '../charges/allocations.ts'
import { lockCharges, lockEachCharge } from '../charges/update-charge.ts'
import { startContract } from '../contracts/update-contract.ts'
import { toJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { outcomeEvent, recordPaymentEvent } from './operation-events.ts'
import { feeColumns, gatewayColumns, type Outcome } from './outcome.ts'
import { savePaidMethod, willSaveMethod } from './save-method.ts'
import { syncScheduledPayment } from './schedule-payment.ts'
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
  if (outcome.final) await settleCharges(tx, context, settled)
  await recordPaymentEvent(tx, outcomeEvent(settled, outcome.status), settled, context.now)
  return settled
}

/** Settles the charges, and starts or cancels the contract when this is its first payment. */
async function settleCharges(tx: Tx, context: SettleContext, settled: PaymentRow): Promise<void> {
  const { attempt, payment, outcome, now } = context
  const paid = outcome.status === 'SUCCESS'
  const parts = await listParts(tx, [payment.id])
  await lockCharges(
    tx,
    payment.instance_id,
    parts.map(({ charge_id }) => charge_id),
  )
  for (const part of parts) {
    const charge = await settleAllocation(tx, {
      instanceId: payment.instance_id,
      chargeId: part.charge_id,
      amount: part.amount,
      outcome: paid ? 'PAID' : 'NOT_PAID',
      paymentId: payment.id,
      now,
    })
    await syncScheduledPayment(tx, charge, now)
  }
  if (payment.charge_id === null) return
  const charge = await findCharge(tx, payment.instance_id, payment.charge_id)
  if (!charge) return
  // Only the scheduler counts attempts. A payment by request is not retried.
  const collected = charge.attempts > 0
  // After a restore the charge may have been collected already, so the merchant has to decide.
  if (collected && !paid && attempt.restored === 0) {
    await scheduleRetry(tx, charge.id, { advice: outcome.retryAdvice, now })
  }
  if (payment.contract_id === null || charge.contract_n !== 1 || collected) return
  if (!paid) await cancelContract(tx, payment.contract_id, now)
  else {
    const paymentMethodId = settled.payment_method_id
    await startContract(tx, payment.contract_id, { paymentMethodId, now })
    if (attempt.restored === 1) await createUncollectedCharges(tx, payment.contract_id, now)
  }
}
