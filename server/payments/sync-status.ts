import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { findOpenAttempt } from './attempts.ts'
import { queryProcessor } from './call-processor.ts'
import { cancelOperation, lostOperation } from './cancel-operation.ts'
import { settleAttempt } from './settle.ts'
import { getPaymentRow } from './store.ts'
import { voidRemainder } from './void-remainder.ts'

/** How long a payer may take on their bank's page before the attempt is canceled, at most. */
const CHALLENGE_MAX_MS = 15 * 60_000
/** After this an operator has to look into the processor's books. */
const UNRESOLVED_WARNING_MS = 72 * 60 * 60_000

/**
 * Queries the processor for one attempt and records the response. Without a response the attempt
 * keeps its state, and the reconciler queries again later.
 */
export async function syncAttempt(deps: Deps, attempt: AttemptRow): Promise<void> {
  const processor = await deps.processors.get(attempt)
  if (!processor) {
    deps.log.error({ attempt: attempt.id, processor: attempt.processor }, 'processor is missing')
    return
  }
  const isLeft = attempt.state === 'ACTION' && deps.now() > challengeEnd(attempt, processor)
  const response = isLeft
    ? await cancelOperation(deps, processor, attempt)
    : await queryOrCancel(deps, processor, attempt)
  if (response.status === 'UNKNOWN') warnIfUnresolvedLong(deps, attempt)
  // What cannot be ended leaves the link to others. What the bank has begun to process does not.
  const setAside = isLeft && response.status === 'ACTION'
  const settled = await settleAttempt(deps, attempt.id, response, { setAside })
  if (settled) await voidRemainder(deps, settled.attempt)
}

function warnIfUnresolvedLong(deps: Deps, attempt: AttemptRow): void {
  const isOld = deps.now() - Date.parse(attempt.created) >= UNRESOLVED_WARNING_MS
  if (attempt.state !== 'UNRESOLVED' || !isOld) return
  deps.log.error({ attempt: attempt.id }, 'an operation has been unresolved for three days')
}

/**
 * Queries a payment whose outcome is open before another operation acts on it. Skips a payment whose
 * first call is still running. Returns the payment as it is then.
 */
export async function syncPayment(deps: Deps, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.status !== 'UNRESOLVED' && payment.status !== 'PENDING') return payment
  const attempt = await findOpenAttempt(deps.db, payment.id)
  if (!attempt || attempt.state === 'SENT' || attempt.state === 'ACTION') return payment
  await syncAttempt(deps, attempt)
  return getPaymentRow(deps.db, payment.instance_id, payment.id)
}

async function queryOrCancel(
  deps: Deps,
  processor: Processor,
  attempt: AttemptRow,
): Promise<ProcessorResponse> {
  const lost = await lostOperation(deps, attempt)
  const response = await queryProcessor(deps, attempt.id, () => processor.query(attempt.id, lost))
  // The call may still be on its way, so the attempt has failed only once the processor refuses it.
  return response.status === 'NOT_FOUND' ? cancelOperation(deps, processor, attempt) : response
}

/**
 * Returns when a challenge is canceled, in epoch milliseconds. One that may not be cancelable is left to
 * the time that the processor gives the payer.
 */
function challengeEnd(
  { created, action_expires, method_type }: AttemptRow,
  { capabilities }: Processor,
): number {
  const latest = Date.parse(created) + CHALLENGE_MAX_MS
  if (action_expires === null) return latest
  const expires = Date.parse(action_expires)
  const method = capabilities.methods.find(({ type }) => type === method_type)
  return method?.cancel === 'SOMETIMES' ? expires : Math.min(latest, expires)
}
