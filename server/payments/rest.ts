import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../http/refusal.ts'
import { updateAttempt } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { patienceAfter } from './outcome.ts'
import { openAmount } from './record.ts'
import { getPaymentRow } from './store.ts'
import { voidPayment } from './void.ts'
import { getWithOpenOperations } from './voids.ts'

/** After so long people have to look, as with what stays unresolved. */
const GIVEN_UP_MS = 72 * 60 * 60_000

/**
 * Lets go of what a final capture leaves, once it is known that it succeeded: at once, and whenever
 * the reconciler comes by, until nothing is open. Where nothing is left, or the processor cannot,
 * there is nothing to do. What is being let go counts as released, so that no two ever let go of the
 * same.
 */
export async function releaseRest(deps: Deps, attempt: AttemptRow): Promise<void> {
  if (attempt.rest !== 'VOID' || attempt.state !== 'DONE') return
  try {
    const isDone = await release(deps, attempt)
    await updateAttempt(deps.db, attempt.id, { next_check: isDone ? null : nextTry(deps, attempt) })
  } catch (error) {
    // The capture itself stands. Whoever asked for it must not be told that it failed.
    deps.log.error({ err: error, capture: attempt.payment_id }, 'the rest was not released')
  }
}

/** Whether there is nothing more to let go of, now or later. */
async function release(deps: Deps, attempt: AttemptRow): Promise<boolean> {
  const instance = { id: attempt.instance_id }
  const capture = await getPaymentRow(deps.db, instance.id, attempt.payment_id)
  if (capture.status !== 'SUCCESS') return true
  const id = capture.authorisation_id as string
  try {
    await voidPayment(deps, instance, id, { claim: async () => {} })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.type === 'NOT_SUPPORTED') return true
  }
  const { authorisation, openOperations } = await getWithOpenOperations(deps.db, id)
  // A capture or void without an outcome may still leave its amount open again.
  return openAmount(authorisation, deps.now()) === 0 && openOperations === 0
}

function nextTry(deps: Deps, { checks, created, payment_id: capture }: AttemptRow): string | null {
  const now = deps.now()
  if (now - Date.parse(created) < GIVEN_UP_MS) return formatInstant(now + patienceAfter(checks))
  deps.log.error({ capture }, 'the rest of a final capture is still not released')
  return null
}
