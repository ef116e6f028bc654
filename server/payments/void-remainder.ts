import type { AttemptRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { updateAttempt } from './attempts.ts'
import { statusSyncDelay } from './outcome.ts'
import { openAmount } from './serialize.ts'
import { getPaymentRow } from './store.ts'
import { voidAuthorization } from './void.ts'

/** After this an operator has to act, as with an operation that stays unresolved. */
const GIVE_UP_MS = 72 * 60 * 60_000

/**
 * Voids the uncaptured remainder after a final capture succeeded. The reconciler retries until
 * nothing is open. A void in progress already counts as released, so the same amount is never voided
 * twice. `attempt` is the settled attempt; any other than a final capture's is ignored.
 */
export async function voidRemainder(deps: Deps, attempt: AttemptRow): Promise<void> {
  if (attempt.rest !== 'VOID' || attempt.state !== 'DONE') return
  try {
    const isDone = await tryToVoid(deps, attempt)
    await updateAttempt(deps.db, attempt.id, {
      next_check: isDone ? null : nextCheck(deps, attempt),
    })
  } catch (error) {
    // The capture has succeeded, so its request must not fail here.
    deps.log.error({ err: error, capture: attempt.payment_id }, 'remainder was not voided')
  }
}

/** Returns true when nothing remains to be voided, now or later. */
async function tryToVoid(deps: Deps, attempt: AttemptRow): Promise<boolean> {
  const instanceId = attempt.instance_id
  const capture = await getPaymentRow(deps.db, instanceId, attempt.payment_id)
  if (capture.status !== 'SUCCESS') return true
  const authorizationId = capture.authorisation_id as string
  try {
    const authorization = await getPaymentRow(deps.db, instanceId, authorizationId)
    await voidAuthorization(deps, authorization, { reserveKey: async () => {} })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.type === 'NOT_SUPPORTED') return true
  }
  return isNothingOpen(deps, authorizationId)
}

/**
 * Returns false while anything of the authorization is open, or may be again: a capture or void
 * without an outcome can still fail. One statement reads all three, because an operation that fails
 * between two reads would appear in neither.
 */
async function isNothingOpen({ db, now }: Deps, authorizationId: string): Promise<boolean> {
  const { open_captures, open_voids, ...authorization } = await db
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
    .where('payments.id', '=', authorizationId)
    .executeTakeFirstOrThrow()
  return openAmount(authorization, now()) === 0 && open_captures === 0 && open_voids === 0
}

/** Returns a date-time, or null once it gives up. */
function nextCheck(
  deps: Deps,
  { checks, created, payment_id: capture }: AttemptRow,
): string | null {
  const now = deps.now()
  if (now - Date.parse(created) < GIVE_UP_MS) return formatInstant(now + statusSyncDelay(checks))
  deps.log.error({ capture }, 'remainder of a final capture is not voided after three days')
  return null
}
