import type { Deps } from '../deps.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { callProcessor, queryProcessor } from './call-processor.ts'
import { type AttemptRow, findOpenAttempt } from './attempts.ts'
import { getPaymentRow, type PaymentRow } from './store.ts'

/** Asking the processor what became of an operation whose outcome is open. */

/** How long a payer may take at their bank before the attempt is called off. */
const CHALLENGE_MS = 15 * 60_000
/** After so long people are asked to decide (safety section 3.2, rule 2). */
const SETTLED_BY_PEOPLE_MS = 72 * 60 * 60_000

/**
 * Asks the processor about one attempt and records what it says. When even that stays unanswered,
 * an attempt keeps the state it has, and is asked about again later.
 */
export async function syncAttempt(deps: Deps, attempt: AttemptRow): Promise<void> {
  const processor = deps.processors.get(attempt.processor)
  if (!processor) {
    deps.log.error({ attempt: attempt.id, processor: attempt.processor }, 'processor is missing')
    return
  }
  const answer = await presentState(deps, processor, attempt)
  if (answer.status === 'UNKNOWN') tellIfOld(deps, attempt)
  await deps.settle(attempt.id, answer)
}

/** Asking again will hardly help any more: somebody has to look into the processor's own books. */
function tellIfOld(deps: Deps, attempt: AttemptRow): void {
  const isOld = deps.now() - Date.parse(attempt.created) >= SETTLED_BY_PEOPLE_MS
  if (attempt.state !== 'UNRESOLVED' || !isOld) return
  deps.log.error({ attempt: attempt.id }, 'an operation has been unresolved for three days')
}

/**
 * A payment whose outcome is open, asked about before anything else is done with it: what the
 * processor has decided meanwhile is the truth to act on. One whose first call is still running is
 * left alone, since that call is about to tell. Answers the payment as it is then.
 */
export async function settledFirst(deps: Deps, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.status !== 'UNRESOLVED' && payment.status !== 'PENDING') return payment
  const attempt = await findOpenAttempt(deps.db, payment.id)
  if (!attempt || attempt.state === 'SENT' || attempt.state === 'ACTION') return payment
  await syncAttempt(deps, attempt)
  return getPaymentRow(deps.db, payment.instance_id, payment.id)
}

async function presentState(
  deps: Deps,
  processor: Processor,
  attempt: AttemptRow,
): Promise<ProcessorResponse> {
  const age = deps.now() - Date.parse(attempt.created)
  if (attempt.state === 'ACTION' && age > CHALLENGE_MS) {
    return callProcessor(deps, attempt.id, () => processor.cancel(attempt.id))
  }
  const answer = await queryProcessor(deps, attempt.id, () => processor.query(attempt.id))
  if (answer.status !== 'NOT_FOUND') return answer
  // The processor has never heard of it. A call may still be on its way, so "not charged" is true
  // only once the processor has promised to refuse it.
  return callProcessor(deps, attempt.id, () => processor.cancel(attempt.id))
}
