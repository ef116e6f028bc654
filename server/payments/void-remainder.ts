import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { type AttemptRow, updateAttempt } from './attempts.ts'
import { retryDelay } from './outcome.ts'
import { openAmount } from './serialize.ts'
import { getPaymentRow } from './store.ts'
import { voidPayment } from './void.ts'

/** After so long people have to look, as with what stays unresolved. */
const GIVEN_UP_MS = 72 * 60 * 60_000

/**
 * Lets go of what a final capture leaves, once it is known that it succeeded: at once, and whenever
 * the reconciler comes by, until nothing is open. Where nothing is left, or the processor cannot,
 * there is nothing to do. What is being let go counts as released, so that no two ever let go of the
 * same.
 */
export async function voidRemainder(deps: Deps, attempt: AttemptRow): Promise<void> {
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
    if (!(error instanceof ApiError)) throw error
    if (error.type === 'NOT_SUPPORTED') return true
  }
  return isAllLetGo(deps, id)
}

/**
 * Whether nothing of an authorisation is open, or could be again: a capture or void without an outcome
 * may still leave its amount open. All is read as one, since what fails between two reads would show
 * in neither.
 */
async function isAllLetGo({ db, now }: Deps, id: string): Promise<boolean> {
  const { open_captures, open_voids, ...authorisation } = await db
    .selectFrom('payments')
    .selectAll('payments')
    .select((eb) => [
      eb
        .selectFrom('payments as captures')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('captures.authorisation_id', '=', 'payments.id')
        .where('captures.status', 'in', ['PENDING', 'UNRESOLVED'])
        .as('open_captures'),
      eb
        .selectFrom('voids')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('voids.payment_id', '=', 'payments.id')
        .where('voids.status', 'in', ['PENDING', 'UNRESOLVED'])
        .as('open_voids'),
    ])
    .where('payments.id', '=', id)
    .executeTakeFirstOrThrow()
  return openAmount(authorisation, now()) === 0 && open_captures === 0 && open_voids === 0
}

function nextTry(deps: Deps, { checks, created, payment_id: capture }: AttemptRow): string | null {
  const now = deps.now()
  if (now - Date.parse(created) < GIVEN_UP_MS) return formatInstant(now + retryDelay(checks))
  deps.log.error({ capture }, 'the rest of a final capture is still not released')
  return null
}
