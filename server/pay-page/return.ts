import type { Instance } from '../db/tables/instances.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { findMethodSetup } from '../method-setups/store.ts'
import { syncSetup } from '../method-setups/sync.ts'
import { findAttemptByHandle, markReturned, type PayerAttempt } from '../payments/attempts.ts'
import { syncAttempt } from '../payments/sync-status.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { submitResponse } from '../checkouts/submit-response.ts'

/**
 * Returns the URL for a payer who comes back from a bank, or undefined for an unknown handle.
 *
 * The handle alone identifies the attempt, so a return works in another browser or a bank's app. The
 * processor is queried first, because its notice may come later. Only the first return goes on to the
 * merchant; later ones, such as Back, show the receipt. A return in a frame (`framed`) stays in it: the
 * page there asks the embedding page to redirect.
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
  const { redirect } = await submitResponse(deps, instance, attempt.id)
  if (redirect !== undefined && !framed) {
    const isFirst = await markReturned(deps.db, attempt.id, formatInstant(deps.now()))
    if (isFirst) return redirect
  }
  return `${payUrl(deps.config.baseUrl, attempt.payment_link_id)}?ck=${attempt.handle}`
}

/**
 * Returns the URL of the page where a set-up began, for a payer who comes back from a bank; undefined for
 * an unknown handle. The processor is queried first.
 */
export async function resolveSetupReturn(deps: Deps, handle: string): Promise<string | undefined> {
  const setup = await findMethodSetup(deps.db, 'handle', handle)
  if (!setup) return undefined
  const instance = await getInstance(deps.db, setup.instance_id)
  await withClockOf(instance, () => syncSetup(deps, setup))
  return `${deps.config.baseUrl}${setup.page}?st=${handle}`
}

/** Returns the string id of the decline with which a payer returned to a link's form, or null. */
export async function findReturnNotice(
  deps: Deps,
  linkId: string | null,
  handle: string | undefined,
): Promise<string | null> {
  const attempt = handle === undefined ? undefined : await findAttemptByHandle(deps.db, handle)
  return attempt?.payment_link_id === linkId && attempt.state === 'DONE' ? attempt.message_id : null
}
