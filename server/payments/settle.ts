import { formatInstant } from '../../shared/rules/time.ts'
import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps, SettledAttempt } from '../deps.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { findAttempt, isPayerAttempt, lockOpenAttempt, updateAttempt } from './attempts.ts'
import { gatewayColumns, type Outcome, toOutcome } from './outcome.ts'
import { sanitizeResponse } from './processor-response.ts'
import { findTransaction, getPaymentRow, markSetAside, updateTransaction } from './store.ts'
import { settlePayment, type SettleContext } from './settle-payment.ts'
import { markSurplus } from './surplus.ts'
import { releaseLeftParts } from './settle-charges.ts'
import { settleCapture, settleRefund, settleVoid } from './settle-operation.ts'

/** Applies an outcome to the payment, refund or void of the attempt. Returns the payment as it is now. */
const SETTLERS: Record<
  AttemptRow['kind'],
  (tx: Tx, context: SettleContext) => Promise<PaymentRow>
> = {
  PAY: settlePayment,
  AUTHORISE: settlePayment,
  CAPTURE: settleCapture,
  REFUND: settleRefund,
  VOID: settleVoid,
}

/** After a final capture, how long before the reconciler voids a remainder that is still open. */
const REMAINDER_DELAY_MS = 60_000

/**
 * Records a processor's response to an attempt: the one path for the direct response, a later query
 * and an operator's decision. The attempt, its payment and what the payment was made for change in
 * one transaction. Returns undefined when nothing changed: the attempt was final before, or still
 * waits for the same thing.
 *
 * With `setAside`, the payer has left a challenge: one that goes on without a final outcome loses the
 * claim of its link.
 *
 * The caller voids the remainder of a capture that this settles (`voidRemainder`).
 */
export async function settleAttempt(
  deps: Deps,
  attemptId: string,
  received: ProcessorResponse,
  { setAside = false } = {},
): Promise<SettledAttempt | undefined> {
  const { response, invalidFields } = sanitizeResponse(received)
  if (invalidFields.length > 0) {
    const malformed = invalidFields.join(' ')
    deps.log.warn({ attempt: attemptId, malformed }, 'a processor’s answer was kept in part')
  }
  const done = await inTransaction(deps.db, async (tx) => {
    const settled = await recordOutcome(tx, attemptId, response, { setAside, nowMs: deps.now() })
    return settled && { settled, afterCommit: await deps.onSettled(deps, tx, settled) }
  })
  if (!done) {
    await receiveLateApproval(deps, attemptId, response)
    return undefined
  }
  await done.afterCommit?.()
  return done.settled
}

async function recordOutcome(
  tx: Tx,
  attemptId: string,
  response: ProcessorResponse,
  { setAside, nowMs }: { setAside: boolean; nowMs: number },
): Promise<SettledAttempt | undefined> {
  const now = formatInstant(nowMs)
  const attempt = await lockOpenAttempt(tx, attemptId, now)
  if (!attempt) return undefined
  const outcome = toOutcome(response, { checks: attempt.checks, now: nowMs })
  // UNKNOWN does not revert what is known, such as the bank's page that the payer is on.
  const isUnknown = response.status === 'UNKNOWN' && attempt.state !== 'SENT'
  // A notification came while the processor was asked, whose response may be older.
  const nextCheck = attempt.noticed === 1 && !outcome.final ? now : outcome.nextCheck
  const isLeft = setAside && attempt.state === 'ACTION' && isPayerAttempt(attempt)
  const set_aside = isLeft && !isUnknown && !outcome.final ? 1 : attempt.set_aside
  const isUnchanged = isUnknown || (!outcome.final && outcome.attempt === attempt.state)
  if (isUnchanged && set_aside === attempt.set_aside) {
    await updateAttempt(tx, attempt.id, { next_check: nextCheck })
    return undefined
  }
  const before = await getPaymentRow(tx, attempt.instance_id, attempt.payment_id)
  if (set_aside !== attempt.set_aside) {
    await markSetAside(tx, attempt.payment_id, true)
    await releaseLeftParts(tx, before, nowMs)
  }
  if (isUnchanged) {
    const left = { set_aside, next_check: nextCheck, updated: now }
    await updateAttempt(tx, attempt.id, left)
    return { attempt: { ...attempt, ...left }, payment: before, now: nowMs }
  }
  const payment = await SETTLERS[attempt.kind](tx, {
    attempt,
    payment: before,
    response,
    outcome,
    now: nowMs,
  })
  await updateTransaction(tx, attempt.transaction_id, {
    status: outcome.status,
    ...gatewayColumns(outcome),
    payment_method_id: payment.payment_method_id,
    processed: outcome.final ? now : null,
    updated: now,
  })
  const method = 'method' in response ? response.method : undefined
  const change = {
    state: outcome.attempt,
    set_aside,
    action_url: response.status === 'ACTION' ? response.url : null,
    action_expires: response.status === 'ACTION' ? (response.expires ?? null) : null,
    message_id: outcome.messageId,
    decline_code: outcome.declineCode,
    method_brand: method?.brand ?? attempt.method_brand,
    method_last4: method?.last4 ?? attempt.method_last4,
    next_check: leavesRemainder(attempt, outcome)
      ? formatInstant(nowMs + REMAINDER_DELAY_MS)
      : nextCheck,
    updated: now,
  }
  await updateAttempt(tx, attempt.id, change)
  return { attempt: { ...attempt, ...change }, payment, now: nowMs }
}

function leavesRemainder({ rest }: AttemptRow, { status }: Outcome): boolean {
  return rest === 'VOID' && status === 'SUCCESS'
}

/**
 * Logs an approval that came after the same operation had been declined. A final outcome stays, but
 * the money may have moved, and only the processor's books can show it. Where the connection is set to
 * refund it, the payment is marked as surplus.
 */
async function receiveLateApproval(
  { db, log, now, processors }: Pick<Deps, 'db' | 'log' | 'now' | 'processors'>,
  attemptId: string,
  response: ProcessorResponse,
): Promise<void> {
  if (response.status !== 'APPROVED') return
  const attempt = await findAttempt(db, attemptId)
  if (attempt?.state !== 'DONE') return
  const transaction = await findTransaction(db, attempt.instance_id, attempt.transaction_id)
  if (transaction?.status !== 'DECLINE') return
  log.error({ attempt: attempt.id }, 'approved by its processor after it had been declined')
  const processor = await processors.get(attempt)
  if (!processor?.refund_late) return
  const { reference } = response
  await inTransaction(db, (tx) => markSurplus(tx, attempt, { now: now(), reference }))
}
