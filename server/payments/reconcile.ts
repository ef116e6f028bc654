import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { callDeadline } from './call-processor.ts'
import { type AttemptRow, leaseAttempt, listDue } from './attempts.ts'
import { syncAttempt } from './sync-status.ts'
import { voidRemainder } from './void-remainder.ts'

/**
 * Settles what was left open: operations without an answer, pending ones, payers who went to their
 * bank and never came back (safety section 3.2, rule 2), and final captures whose rest is not let go.
 */

const BATCH = 50

/**
 * Asks about every attempt that is due, once; with `moved`, about those of the instance of that id,
 * whose clock was moved. Several processes may do this at the same time: a
 * lease gives each attempt to one of them. Answers how many were asked about.
 */
export async function reconcileDue(deps: Deps, moved?: string): Promise<number> {
  const now = deps.now()
  const due = await listDue(deps.db, formatInstant(now), BATCH, moved)
  const until = formatInstant(callDeadline(deps, now))
  await Promise.all(due.map((attempt) => settleLeased(deps, attempt, until)))
  return due.length
}

/** One that fails comes again when its lease has run out, and is not in the others' way. */
async function settleLeased(deps: Deps, attempt: AttemptRow, until: string): Promise<void> {
  try {
    if (!(await leaseAttempt(deps.db, attempt, until))) return
    await settle(deps, { ...attempt, checks: attempt.checks + 1 })
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'attempt was not settled')
  }
}

/** What is final is on the list for what a final capture has left. */
function settle(deps: Deps, attempt: AttemptRow): Promise<void> {
  return attempt.state === 'DONE' ? voidRemainder(deps, attempt) : syncAttempt(deps, attempt)
}
