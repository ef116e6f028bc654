import type { Instance } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { findAttemptByHandle, markReturned, type PayerAttempt } from '../payments/attempts.ts'
import { syncAttempt } from '../payments/sync-status.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { submitResponse } from '../checkouts/submit-response.ts'

/**
 * Where a payer goes who comes back with a handle, or undefined for a handle that is not ours.
 *
 * The handle alone decides, so it works in another browser or a bank's app too. The processor is
 * asked at once, because it knows before any notice arrives. Only the first return leaves for the
 * merchant; a later one (Back, a reopened tab) shows the receipt (contract sections 7.1 and 9,
 * complaints U-5, U-6 and U-31). A payer who comes back inside a frame stays in it: the shop does not
 * want to be shown within itself, and our page there tells it to go on (contract section 18).
 */
export async function resolveReturnTarget(
  deps: Deps,
  handle: string,
  framed: boolean,
): Promise<string | undefined> {
  const attempt = await findAttemptByHandle(deps.db, handle)
  if (!attempt) return undefined
  const instance = await getInstance(deps.db, attempt.instance_id)
  return withClockOf(instance, () => completeReturn(deps, instance, attempt, framed))
}

async function completeReturn(
  deps: Deps,
  instance: Instance,
  attempt: PayerAttempt,
  framed: boolean,
): Promise<string> {
  if (attempt.state !== 'DONE') await syncAttempt(deps, attempt)
  const answer = await submitResponse(deps, instance, attempt.id)
  if (answer.redirect !== undefined && !framed) {
    const first = await markReturned(deps.db, attempt.id, formatInstant(deps.now()))
    if (first) return answer.redirect
  }
  return `${payUrl(deps.config.baseUrl, attempt.payment_link_id)}?ck=${attempt.handle}`
}

/** Why the payer is back on the form: the string id of a declined attempt of this very link. */
export async function findReturnNotice(
  deps: Deps,
  linkId: string,
  handle: string | undefined,
): Promise<string | null> {
  const attempt = handle === undefined ? undefined : await findAttemptByHandle(deps.db, handle)
  return attempt?.payment_link_id === linkId && attempt.state === 'DONE' ? attempt.message_id : null
}
