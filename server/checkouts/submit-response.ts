import type { Instance } from '../db/tables/instances.ts'
import type { SubmitResponse } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import { findPaymentRow } from '../payments/store.ts'
import { findLink } from '../payment-links/store.ts'
import { afterPayment, serializePayerAction } from './payment-result.ts'
import { findSubmission, isTrialSetup, type Submission } from './submission.ts'

/** Returns the response to a submit from the current state of what it asked the processor for. */
export async function submitResponse(
  deps: Deps,
  instance: Instance,
  id: string,
): Promise<SubmitResponse> {
  const submission = await findSubmission(deps.db, id)
  if (!submission) throw new Error(`there is no submission ${id}`)
  const { state, message_id } = submission
  const message = message_id === null ? {} : { message_id }
  switch (state) {
    case 'ACTION': {
      const action = await serializePayerAction(deps, submission)
      return { outcome: 'ACTION', ...message, ...(action && { action }) }
    }
    case 'SENT':
    case 'UNRESOLVED':
      return { outcome: 'PENDING', message_id: 'status.checking' }
    case 'PENDING':
      return {
        outcome: 'PENDING',
        message_id: 'receipt.pending',
        ...(await redirectAfterPayment(deps, instance, submission)),
      }
    case 'DONE':
      return (await isSuccess(deps, instance, submission))
        ? { outcome: 'COMPLETED', ...(await redirectAfterPayment(deps, instance, submission)) }
        : { outcome: 'DECLINED', ...message }
  }
}

async function isSuccess(
  { db }: Deps,
  instance: Instance,
  submission: Submission,
): Promise<boolean> {
  if (isTrialSetup(submission)) return submission.status === 'SUCCESS'
  return (await findPaymentRow(db, instance.id, submission.payment_id))?.status === 'SUCCESS'
}

/** Returns the redirect of a link that skips the receipt. */
async function redirectAfterPayment(
  deps: Deps,
  instance: Instance,
  submission: Submission,
): Promise<{ redirect?: string; return_url?: string }> {
  const link = await findLink(deps.db, submission.payment_link_id)
  if (!link || link.status === 'ACTIVE') return {}
  const outcome = link.status === 'PAYMENT_SUCCESS' ? 'COMPLETED' : 'PENDING'
  const after = afterPayment(instance, link, outcome)
  if (!after.skip_receipt || after.redirect === null) return {}
  return { redirect: after.redirect, return_url: returnUrl(deps, submission) }
}

/** Returns the URL that the bank, or a framed page, sends the payer back to. */
export function returnUrl(deps: Deps, { handle }: Pick<Submission, 'handle'>): string {
  return `${deps.config.baseUrl}/pay/checkouts/${handle}/return`
}
