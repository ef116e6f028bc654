import type { Instance } from '../db/tables/instances.ts'
import type { SubmitResponse } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import { findAttempt, isPayerAttempt, type PayerAttempt } from '../payments/attempts.ts'
import { findPaymentRow } from '../payments/store.ts'
import { findLink } from '../payment-links/store.ts'
import { afterPayment, serializePayerAction } from './payment-result.ts'

/** Returns the response to a submit from the current state of its attempt. */
export async function submitResponse(
  deps: Deps,
  instance: Instance,
  attemptId: string,
): Promise<SubmitResponse> {
  const attempt = await findAttempt(deps.db, attemptId)
  if (!attempt || !isPayerAttempt(attempt)) throw new Error(`attempt ${attemptId} does not exist`)
  const message = attempt.message_id === null ? {} : { message_id: attempt.message_id }
  switch (attempt.state) {
    case 'ACTION': {
      const action = await serializePayerAction(deps, attempt)
      return { outcome: 'ACTION', ...message, ...(action && { action }) }
    }
    case 'SENT':
    case 'UNRESOLVED':
      return { outcome: 'PENDING', message_id: 'status.checking' }
    case 'PENDING':
      return {
        outcome: 'PENDING',
        message_id: 'receipt.pending',
        ...(await redirectAfterPayment(deps, instance, attempt)),
      }
    case 'DONE': {
      const payment = await findPaymentRow(deps.db, instance.id, attempt.payment_id)
      return payment?.status === 'SUCCESS'
        ? { outcome: 'COMPLETED', ...(await redirectAfterPayment(deps, instance, attempt)) }
        : { outcome: 'DECLINED', ...message }
    }
  }
}

/** Returns the redirect of a link that skips the receipt. */
async function redirectAfterPayment(
  deps: Deps,
  instance: Instance,
  attempt: PayerAttempt,
): Promise<{ redirect?: string; return_url?: string }> {
  const link = await findLink(deps.db, attempt.payment_link_id)
  if (!link || link.status === 'ACTIVE') return {}
  const outcome = link.status === 'PAYMENT_SUCCESS' ? 'COMPLETED' : 'PENDING'
  const after = afterPayment(instance, link, outcome)
  if (!after.skip_receipt || after.redirect === null) return {}
  return { redirect: after.redirect, return_url: returnUrl(deps, attempt) }
}

/** Returns the URL that the bank, or a framed page, sends the payer back to. */
export function returnUrl(deps: Deps, attempt: Pick<PayerAttempt, 'handle'>): string {
  return `${deps.config.baseUrl}/pay/checkouts/${attempt.handle}/return`
}
