import type { Instance } from '../db/tables/instances.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { findMethodSetup } from '../method-setups/store.ts'
import { syncSetup } from '../method-setups/sync.ts'
import { markReturned } from '../payments/attempts.ts'
import { syncAttempt } from '../payments/sync-status.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { findSubmissionByHandle, isTrialSetup, type Submission } from '../checkouts/submission.ts'
import { submitResponse } from '../checkouts/submit-response.ts'

/**
 * Returns the URL for a payer who comes back from a bank, or undefined for an unknown handle.
 *
 * The handle alone identifies the submit, so a return works in another browser or a bank's app. The
 * processor is queried first, because its notice may come later. Only the first return goes on to the
 * merchant; later ones, such as Back, show the receipt. A return in a frame (`framed`) stays in it: the
 * page there asks the embedding page to redirect.
 */
export async function resolveReturnTarget(
  deps: Deps,
  handle: string,
  framed: boolean,
): Promise<string | undefined> {
  const submission = await findSubmissionByHandle(deps.db, handle)
  if (!submission) return undefined
  const instance = await getInstance(deps.db, submission.instance_id)
  return withClockOf(instance, () => completeReturn(deps, instance, submission, framed))
}

async function completeReturn(
  deps: Deps,
  instance: Instance,
  submission: Submission,
  framed: boolean,
): Promise<string> {
  const { id, handle, payment_link_id: linkId } = submission
  const isTrial = isTrialSetup(submission)
  if (isTrial) await syncSetup(deps, submission)
  else if (submission.state !== 'DONE') await syncAttempt(deps, submission)
  const { redirect } = await submitResponse(deps, instance, id)
  if (redirect !== undefined && !framed) {
    const table = isTrial ? 'method_setups' : 'attempts'
    const isFirst = await markReturned(deps.db, { table, id }, formatInstant(deps.now()))
    if (isFirst) return redirect
  }
  return `${payUrl(deps.config.baseUrl, linkId)}?ck=${handle}`
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
  const made = handle === undefined ? undefined : await findSubmissionByHandle(deps.db, handle)
  return made?.payment_link_id === linkId && made.state === 'DONE' ? made.message_id : null
}
