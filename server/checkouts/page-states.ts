import type { CheckoutResult } from '../../shared/page-model.ts'
import type { PageState } from '../../shared/schemas/session-page.ts'
import type { CheckoutMilestones } from '../db/tables/checkouts.ts'
import type { Deps } from '../deps.ts'
import { payerPath } from '../deep-links/payer-link.ts'
import { afterPayment, methodSummary, receiptSummary } from './payment-result.ts'
import { findSubmittedReceipt, type ReceiptSource } from './receipt-source.ts'
import type { CheckoutSession } from './session.ts'
import { listSubmissions, type Submission } from './submission.ts'

/** Returns the states that the page of a session was in, oldest first, by what became of its attempts. */
export async function listPageStates(
  deps: Deps,
  session: Omit<CheckoutSession, 'bundle'>,
): Promise<PageState[]> {
  const { checkout, instance } = session
  const { challenged } = JSON.parse(checkout.milestones) as CheckoutMilestones
  const states: PageState[] = [{ state: 'FORM', at: checkout.created, notice: null, result: null }]
  const attempts = await listSubmissions(deps.db, instance.id, checkout.id)
  // The first challenge of a session is known; a later one is told by its end alone.
  const confirmed = attempts.findLast(
    ({ created }) => challenged !== undefined && created <= challenged,
  )
  for (const attempt of attempts) {
    const made = await findSubmittedReceipt(deps, attempt)
    if (!made) continue
    if (attempt === confirmed && challenged !== undefined) {
      states.push(confirmState(deps, session, made, attempt, challenged))
    }
    const end = endState(session, made, attempt)
    if (end) states.push(end)
  }
  return states
}

type Shown = Pick<CheckoutSession, 'link' | 'instance' | 'deepLink'>

function confirmState(
  { config }: Deps,
  session: Shown,
  made: ReceiptSource,
  attempt: Submission,
  at: string,
): PageState {
  const summary = summaryOf(session, made, attempt)
  const url = `${config.baseUrl}${payerPath(session)}`
  return {
    state: 'CONFIRM',
    at,
    notice: null,
    result: { ...summary, outcome: 'ACTION', action: { type: 'REDIRECT', url } },
  }
}

/** Returns what the payer saw when the attempt was decided, or sees until it is. */
function endState(session: Shown, made: ReceiptSource, attempt: Submission): PageState | undefined {
  const { status, date: at } = made
  const summary = summaryOf(session, made, attempt)
  switch (status) {
    case 'DECLINE':
      return { state: 'DECLINED', at, notice: attempt.message_id, result: null }
    case 'UNRESOLVED': {
      const result = { ...summary, outcome: 'CHECKING', message_id: 'status.checking' } as const
      return { state: 'CHECKING', at, notice: null, result }
    }
    case 'PENDING': {
      if (attempt.state === 'ACTION') return undefined
      const message = messageOf(session, 'PENDING')
      const result = {
        ...summary,
        outcome: 'PENDING',
        message,
        message_id: 'receipt.pending',
      } as const
      return { state: 'PENDING', at, notice: null, result }
    }
    case 'SUCCESS':
    case 'VOIDED': {
      const message = messageOf(session, 'COMPLETED')
      return {
        state: 'PAID',
        at,
        notice: null,
        result: { ...summary, outcome: 'COMPLETED', message },
      }
    }
    default:
      return undefined
  }
}

function messageOf({ instance, link }: Shown, outcome: 'COMPLETED' | 'PENDING'): string | null {
  return afterPayment(instance, link, outcome).message
}

/** Ids and links of the merchant are left out: only what stood on the page is shown. */
function summaryOf({ link }: Shown, made: ReceiptSource, attempt: Submission) {
  return { ...receiptSummary(made, link, true), method: methodSummary(attempt) } satisfies Omit<
    CheckoutResult,
    'outcome'
  >
}
