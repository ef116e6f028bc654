import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { ask, callEnds } from '../payments/ask.ts'
import { leaseAttempt, listDue, updateAttempt } from '../payments/attempts.ts'
import type { AttemptRow } from '../payments/attempts.ts'
import { outcomeOf } from '../payments/outcome.ts'
import type { Processor, ProcessorAnswer } from '../processors/port.ts'
import { settleCheckout } from './settle.ts'

/**
 * Settles what was left open: attempts without an answer, pending ones, and payers who went to
 * their bank and never came back (safety section 3.2, rule 2).
 */

/** How long a payer may take at their bank before the attempt is called off. */
const CHALLENGE_MS = 15 * 60_000
const BATCH = 50

/**
 * Asks about every attempt that is due, once. Several processes may do this at the same time: a
 * lease gives each attempt to one of them. Answers how many were asked about.
 */
export async function reconcileDue(deps: Deps): Promise<number> {
  const now = deps.now()
  const due = await listDue(deps.db, formatInstant(now), BATCH)
  const until = formatInstant(callEnds(deps, now))
  await Promise.all(
    due.map(async (attempt) => {
      if (await leaseAttempt(deps.db, attempt, until)) {
        await checkAttempt(deps, { ...attempt, checks: attempt.checks + 1 })
      }
    }),
  )
  return due.length
}

/**
 * Asks the processor about one attempt and records what it says. When even that stays unanswered,
 * an attempt keeps the state it has, and is asked about again later.
 */
export async function checkAttempt(deps: Deps, attempt: AttemptRow): Promise<void> {
  const processor = deps.processors.get(attempt.processor)
  if (!processor) {
    deps.log.error({ attempt: attempt.id, processor: attempt.processor }, 'processor is missing')
    return
  }
  const answer = await presentState(deps, processor, attempt)
  if (answer.status === 'UNKNOWN' && attempt.state !== 'SENT') {
    const { nextCheck } = outcomeOf(answer, { checks: attempt.checks, now: deps.now() })
    await updateAttempt(deps.db, attempt.id, { next_check: nextCheck })
    return
  }
  await settleCheckout(deps, attempt.id, answer)
}

async function presentState(
  deps: Deps,
  processor: Processor,
  attempt: AttemptRow,
): Promise<ProcessorAnswer> {
  const age = deps.now() - Date.parse(attempt.created)
  if (attempt.state === 'ACTION' && age > CHALLENGE_MS) {
    return ask(deps, attempt.id, () => processor.cancel(attempt.id))
  }
  const answer = await ask(deps, attempt.id, () => processor.query(attempt.id))
  if (answer.status !== 'NOT_FOUND') return answer
  // The processor has never heard of it. A call may still be on its way, so "not charged" is true
  // only once the processor has promised to refuse it.
  return ask(deps, attempt.id, () => processor.cancel(attempt.id))
}
