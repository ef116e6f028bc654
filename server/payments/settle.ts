import type { ProcessorAnswer } from '../processors/port.ts'
import type { Tx } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson, toJson } from '../db/json.ts'
import { markTransacted } from '../accounts/store.ts'
import { insertPaymentMethod } from '../payment-methods/store.ts'
import { newId } from '../ids.ts'
import type { AttemptRow } from './attempts.ts'
import { holdOpenAttempt, updateAttempt } from './attempts.ts'
import { outcomeOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { findPaymentRow, updatePayment, updateTransaction } from './store.ts'
import type { PaymentRow } from './store.ts'

/** What a settled attempt left behind, for whoever the payment was for. */
export interface Settled {
  attempt: AttemptRow
  payment: PaymentRow
  outcome: Outcome
  paymentMethodId: string | null
}

/**
 * Records what a processor said about an attempt: the one path for its direct answer, a later
 * query, a notice and a returning payer. Undefined when there is nothing new: the attempt was final
 * before, or is still waiting for the same thing.
 *
 * Payment, transaction, stored method and account change together in the caller's transaction
 * (contract section 10.2; safety section 3.2).
 */
export async function settleAttempt(
  tx: Tx,
  attemptId: string,
  answer: ProcessorAnswer,
  nowMs: number,
): Promise<Settled | undefined> {
  const now = formatInstant(nowMs)
  const attempt = await holdOpenAttempt(tx, attemptId, now)
  if (!attempt) return undefined
  const payment = await findPaymentRow(tx, attempt.instance_id, attempt.payment_id)
  if (!payment) throw new Error(`attempt ${attempt.id} has no payment`)
  const outcome = outcomeOf(answer, { checks: attempt.checks, now: nowMs })
  if (!outcome.final && outcome.attempt === attempt.state) {
    // Still waiting: no record says anything new, so none is written.
    await updateAttempt(tx, attempt.id, { next_check: outcome.nextCheck })
    return undefined
  }
  const methodId = await keepMethod(tx, attempt, payment, answer, nowMs)
  await writePayment(tx, payment, outcome, methodId, now)
  await updateTransaction(tx, attempt.transaction_id, {
    status: outcome.transaction,
    ...gatewayColumns(outcome),
    payment_method_id: methodId,
    processed: outcome.final ? now : null,
    updated: now,
  })
  const method = 'method' in answer ? answer.method : undefined
  const change = {
    state: outcome.attempt,
    action_url: answer.status === 'ACTION' ? answer.url : null,
    message_id: outcome.messageId,
    method_brand: method?.brand ?? attempt.method_brand,
    method_last4: method?.last4 ?? attempt.method_last4,
    next_check: outcome.nextCheck,
    updated: now,
  }
  await updateAttempt(tx, attempt.id, change)
  if (outcome.payment === 'SUCCESS' && payment.account_id) {
    await markTransacted(tx, payment.account_id, attempt.transaction_id, now)
  }
  return { attempt: { ...attempt, ...change }, payment, outcome, paymentMethodId: methodId }
}

async function writePayment(
  tx: Tx,
  payment: PaymentRow,
  outcome: Outcome,
  methodId: string | null,
  now: string,
): Promise<void> {
  await updatePayment(tx, payment.id, {
    status: outcome.payment,
    ...gatewayColumns(outcome),
    payment_method_id: methodId,
    three_ds: toJson(
      outcome.threeDs && {
        status: outcome.threeDs,
        liability_shift: outcome.payment === 'SUCCESS' && outcome.threeDs === 'CHALLENGED',
      },
    ),
    processed: outcome.final ? now : null,
    updated: now,
  })
}

function gatewayColumns(outcome: Outcome): {
  gateway_status: string
  gateway_message: string | null
  gateway_reference?: string
} {
  return {
    gateway_status: outcome.gateway,
    gateway_message: outcome.gatewayMessage,
    // A later answer without a reference must not erase the one that is known.
    ...(outcome.reference === null ? {} : { gateway_reference: outcome.reference }),
  }
}

/** The sentence under which a payer allowed a method to be kept, as they saw it. */
export interface Consent {
  text: string
  language: string
}

/** The saved method that paid, or a new one when the payer allowed it and the payment succeeded. */
async function keepMethod(
  tx: Tx,
  attempt: AttemptRow,
  payment: PaymentRow,
  answer: ProcessorAnswer,
  nowMs: number,
): Promise<string | null> {
  if (attempt.saved_method_id) return attempt.saved_method_id
  const mayKeep = attempt.save === 1 && payment.account_id !== null
  if (!mayKeep || answer.status !== 'APPROVED' || !answer.stored) return null
  const now = formatInstant(nowMs)
  const id = newId('pm', nowMs)
  await insertPaymentMethod(tx, {
    id,
    instance_id: attempt.instance_id,
    account_id: payment.account_id as string,
    type: attempt.method_type ?? 'CARD',
    brand: answer.method?.brand ?? null,
    last4: answer.method?.last4 ?? null,
    exp_month: answer.method?.exp_month ?? null,
    exp_year: answer.method?.exp_year ?? null,
    funding: answer.method?.funding ?? null,
    country: answer.method?.country ?? null,
    status: 'ACTIVE',
    reusable: attempt.reusable,
    consent: JSON.stringify({
      given: true,
      ...fromJson<Consent>(attempt.consent),
      at: attempt.created,
      checkout: attempt.checkout_id,
    }),
    processor: attempt.processor,
    processor_token: answer.stored.token,
    fingerprint: answer.stored.fingerprint,
    created: now,
    updated: now,
    v: 1,
  })
  return id
}
