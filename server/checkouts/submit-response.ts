import type { Instance } from '../db/rows.ts'
import type { SubmitAnswer } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import { findAttempt, isPayerAttempt, type PayerAttempt } from '../payments/attempts.ts'
import { findPaymentRow } from '../payments/store.ts'
import { findLink } from '../payment-links/store.ts'
import { serializePayerAction } from './payer-action.ts'
import { afterPayment } from './payment-result.ts'

/** What the page is told about an attempt as it stands now (contract section 7.3). */
export async function submitResponse(
  deps: Deps,
  instance: Instance,
  attemptId: string,
): Promise<SubmitAnswer> {
  const attempt = await findAttempt(deps.db, attemptId)
  if (!attempt || !isPayerAttempt(attempt)) throw new Error(`attempt ${attemptId} is gone`)
  const message = attempt.message_id === null ? {} : { message_id: attempt.message_id }
  switch (attempt.state) {
    case 'ACTION': {
      const action = serializePayerAction(deps, attempt)
      return { outcome: 'ACTION', ...message, ...(action && { action }) }
    }
    case 'SENT':
    case 'UNRESOLVED':
      return { outcome: 'PENDING', message_id: 'status.checking' }
    case 'PENDING':
      return {
        outcome: 'PENDING',
        message_id: 'receipt.pending',
        ...(await leaving(deps, instance, attempt)),
      }
    case 'DONE': {
      const payment = await findPaymentRow(deps.db, instance.id, attempt.payment_id)
      return payment?.status === 'SUCCESS'
        ? { outcome: 'COMPLETED', ...(await leaving(deps, instance, attempt)) }
        : { outcome: 'DECLINED', ...message }
    }
  }
}

/** Where the payer leaves for at once, when the merchant asked to skip the receipt. */
async function leaving(
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

/** Where the bank, and the page itself, send the payer back to. */
export function returnUrl(deps: Deps, attempt: Pick<PayerAttempt, 'handle'>): string {
  return `${deps.config.baseUrl}/pay/checkouts/${attempt.handle}/return`
}
