import type { ProcessorResponse } from '../processors/port.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { type AttemptRow, findAttempt, lockOpenAttempt, updateAttempt } from './attempts.ts'
import { settleCapture } from './capture.ts'
import { gatewayColumns, type Outcome, outcomeOf } from './outcome.ts'
import { settleRefund } from './refund.ts'
import { findTransaction, getPaymentRow, type PaymentRow, updateTransaction } from './store.ts'
import { settlePayment, type SettleContext } from './settle-payment.ts'
import { settleVoid } from './void.ts'

/** What a settled attempt left behind, for whoever the payment was for. */
export interface Settled {
  attempt: AttemptRow
  /** As it is now. */
  payment: PaymentRow
  outcome: Outcome
}

/** What an operation's outcome changes beyond its own attempt and transaction. */
const SETTLE: Record<AttemptRow['kind'], (tx: Tx, settling: SettleContext) => Promise<PaymentRow>> =
  {
    PAY: settlePayment,
    AUTHORISE: settlePayment,
    CAPTURE: settleCapture,
    REFUND: settleRefund,
    VOID: settleVoid,
  }

/** By then whoever settles a final capture has let its rest go, or has died over it. */
const REST_MS = 60_000

/**
 * Records what a processor said about an attempt: the one path for its direct answer, a later
 * query, a notice and a returning payer. Undefined when there is nothing new: the attempt was final
 * before, or is still waiting for the same thing.
 *
 * Everything that the answer changes changes together, in the caller's transaction (contract
 * section 10.2; safety section 3.2).
 */
export async function settleAttempt(
  tx: Tx,
  attemptId: string,
  answer: ProcessorResponse,
  nowMs: number,
): Promise<Settled | undefined> {
  const now = formatInstant(nowMs)
  const attempt = await lockOpenAttempt(tx, attemptId, now)
  if (!attempt) return undefined
  const outcome = outcomeOf(answer, { checks: attempt.checks, now: nowMs })
  // Silence takes back nothing that is known, such as the bank's page that the payer is at.
  const isSilence = answer.status === 'UNKNOWN' && attempt.state !== 'SENT'
  if (isSilence || (!outcome.final && outcome.attempt === attempt.state)) {
    // Still waiting: no record says anything new, so none is written.
    await updateAttempt(tx, attempt.id, { next_check: outcome.nextCheck })
    return undefined
  }
  const before = await getPaymentRow(tx, attempt.instance_id, attempt.payment_id)
  const payment = await SETTLE[attempt.kind](tx, {
    attempt,
    payment: before,
    answer,
    outcome,
    now: nowMs,
  })
  await updateTransaction(tx, attempt.transaction_id, {
    status: outcome.transaction,
    ...gatewayColumns(outcome),
    payment_method_id: payment.payment_method_id,
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
    next_check: leavesRest(attempt, outcome) ? formatInstant(nowMs + REST_MS) : outcome.nextCheck,
    updated: now,
  }
  await updateAttempt(tx, attempt.id, change)
  return { attempt: { ...attempt, ...change }, payment, outcome }
}

function leavesRest({ rest }: AttemptRow, { payment }: Outcome): boolean {
  return rest === 'VOID' && payment === 'SUCCESS'
}

/**
 * Tells whoever runs the server of an approval that came after the same operation had been declined.
 * What is final stays so (contract section 10.2), but the money may have moved, and only people can
 * compare the processor's books.
 */
export async function warnIfApprovedLate(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  attemptId: string,
  answer: ProcessorResponse,
): Promise<void> {
  if (answer.status !== 'APPROVED') return
  const attempt = await findAttempt(db, attemptId)
  if (attempt?.state !== 'DONE') return
  const transaction = await findTransaction(db, attempt.instance_id, attempt.transaction_id)
  if (transaction?.status !== 'DECLINE') return
  log.error({ attempt: attempt.id }, 'approved by its processor after it had been declined')
}
