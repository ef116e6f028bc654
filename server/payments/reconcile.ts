import type { AttemptRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { callDeadline } from './call-processor.ts'
import { refundSurplus } from './refund-surplus.ts'
import { leaseAttempt, listDueAttempts } from './reconcile-queue.ts'
import { syncAttempt } from './sync-status.ts'
import { voidRemainder } from './void-remainder.ts'

const BATCH = 50

/**
 * Checks every due attempt once: operations without a response, pending ones, payers who did not
 * return from their bank, final captures with a remainder to void, and surplus payments to refund. With `moved`, only attempts of
 * the instance with that id, whose test clock was moved. Several processes may run this at once: a
 * lease gives each attempt to one of them. Returns the number of due attempts.
 */
export async function reconcileDue(deps: Deps, moved?: string): Promise<number> {
  const now = deps.now()
  const due = await listDueAttempts(deps.db, formatInstant(now), BATCH, moved)
  const until = formatInstant(callDeadline(deps, now))
  await Promise.all(due.map((attempt) => checkLeased(deps, attempt, until)))
  return due.length
}

/** A failing attempt is retried when its lease ends and does not block the others. */
async function checkLeased(deps: Deps, attempt: AttemptRow, until: string): Promise<void> {
  try {
    if (!(await leaseAttempt(deps.db, attempt, until))) return
    await check(deps, { ...attempt, checks: attempt.checks + 1 })
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'attempt was not settled')
  }
}

/** A final attempt is due because a final capture left a remainder, or its payment is surplus. */
function check(deps: Deps, attempt: AttemptRow): Promise<void> {
  if (attempt.state !== 'DONE') return syncAttempt(deps, attempt)
  return attempt.rest === 'REFUND' ? refundSurplus(deps, attempt) : voidRemainder(deps, attempt)
}
