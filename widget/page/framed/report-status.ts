import { effect } from '@preact/signals'
import type { Completion, FrameMessages, FrameStatus } from '../../../shared/embed-messages.ts'
import type { CheckoutResult, PageModel } from '../../../shared/page-model.ts'
import type { Checkout } from '../checkout.ts'

/** Sends a message to the host page. */
export type PostToHost = <Type extends keyof FrameMessages>(
  type: Type,
  detail: FrameMessages[Type],
) => void

const REPORTED_KEY = 'checkstand.told'

/** Reports the status, errors and the completion, each change once. */
export function reportStatus(checkout: Checkout, post: PostToHost): void {
  const returned = resultOnReturn(checkout.model)
  let reported: { status?: FrameStatus; completion?: string; error?: string | undefined } = {}

  effect(() => {
    const status = statusOf(checkout)
    if (status !== reported.status) post('status', { status })
    const error = errorOf(checkout)
    if (error && error !== reported.error) post('error', { code: error })
    const completion = completionOf(checkout, checkout.completed.value ?? returned)
    if (completion && completion.status !== reported.completion) post('complete', completion)
    reported = { status, error, completion: completion?.status ?? reported.completion }
  })
}

export function statusOf(checkout: Checkout): FrameStatus {
  const { kind } = checkout.screen.value
  if (isGone(checkout)) return 'EXPIRED'
  if (isPaymentUnderWay(checkout)) return 'SUBMITTED'
  if (kind === 'receipt') return 'COMPLETED'
  return kind === 'pending' || kind === 'checking' ? 'PENDING' : 'OPEN'
}

/**
 * True while only this page can find out the outcome, so the payer must not close it. Once the server
 * shows a result, or polling has stopped, the link itself shows the outcome.
 */
export function isPaymentUnderWay({ step, pollingStopped }: Checkout): boolean {
  return step.value === 'submitting' || (step.value === 'unconfirmed' && !pollingStopped.value)
}

function isGone({ step }: Checkout): boolean {
  return step.value === 'expired' || step.value === 'unavailable'
}

function errorOf(checkout: Checkout): 'GONE' | 'NO_CONNECTION' | undefined {
  if (isGone(checkout)) return 'GONE'
  return checkout.connection.value === 'failing' ? 'NO_CONNECTION' : undefined
}

/** The result for a payer who returns from the bank into the frame; only for its first load. */
function resultOnReturn(model: PageModel): CheckoutResult | null {
  const { result } = model.checkout
  const handle = new URLSearchParams(location.search).get('ck')
  const final = result?.outcome === 'COMPLETED' || result?.outcome === 'PENDING'
  if (handle === null || !final || result.method === null) return null
  try {
    if (sessionStorage.getItem(REPORTED_KEY) === handle) return null
    sessionStorage.setItem(REPORTED_KEY, handle)
  } catch {
    // Without storage a repeated report is better than none.
  }
  return result
}

function completionOf(checkout: Checkout, result: CheckoutResult | null): Completion | null {
  if (result === null) return null
  const { transaction, account, redirect, skip_receipt } = result
  return {
    payment_link: checkout.checkout.value.payment_link ?? '',
    status: result.outcome === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
    ...(transaction === null ? {} : { transaction }),
    ...(account === null ? {} : { account }),
    ...(skip_receipt && redirect !== null ? { redirect } : {}),
  }
}
