import type { Completion, FrameMessages, FrameStatus } from '../../../shared/embed-messages.ts'
import type { CheckoutResult, PageModel } from '../../../shared/page-model.ts'
import type { Checkout } from '../checkout.ts'
import { effect } from '../signal.ts'

/** Speaks to the page around. */
export type Say = <Type extends keyof FrameMessages>(
  type: Type,
  detail: FrameMessages[Type],
) => void

const TOLD = 'checkstand.told'

/** Tells how the checkout stands, each thing once, from now on. */
export function reportStatus(checkout: Checkout, say: Say): void {
  const back = broughtBack(checkout.model)
  let told: { status?: FrameStatus; reached?: string; error?: string | undefined } = {}

  effect(() => {
    const status = statusOf(checkout)
    if (status !== told.status) say('status', { status })
    const error = errorOf(checkout)
    if (error && error !== told.error) say('error', { code: error })
    const reached = completionOf(checkout, checkout.reached.value ?? back)
    if (reached && reached.status !== told.reached) say('complete', reached)
    told = { status, error, reached: reached?.status ?? told.reached }
  })
}

/** How the checkout stands, in the words of its record. */
export function statusOf(checkout: Checkout): FrameStatus {
  const { view } = checkout
  if (view.value === 'EXPIRED' || view.value === 'UNAVAILABLE') return 'EXPIRED'
  if (mustStay(checkout)) return 'SUBMITTED'
  const outcome = view.value === 'RESULT' ? checkout.checkout.value.result?.outcome : undefined
  if (outcome === 'COMPLETED') return 'COMPLETED'
  return outcome === 'PENDING' || outcome === 'CHECKING' ? 'PENDING' : 'OPEN'
}

/**
 * A payment is under way, and only this page knows to ask about it. Once the server shows a result,
 * or the page itself gave up asking, the payer may go: they find it again when they open the link.
 */
export function mustStay({ view, phase, tired }: Checkout): boolean {
  if (view.value !== 'FORM') return false
  return phase.value === 'paying' || (phase.value === 'unsure' && !tired.value)
}

function errorOf({ view, connection }: Checkout): 'GONE' | 'NO_CONNECTION' | undefined {
  if (view.value === 'EXPIRED' || view.value === 'UNAVAILABLE') return 'GONE'
  return connection.value === 'failing' ? 'NO_CONNECTION' : undefined
}

/** What a payer reached whom the bank sent back into the frame; told once, however often it loads. */
function broughtBack(model: PageModel): CheckoutResult | null {
  const { result } = model.checkout
  const handle = new URLSearchParams(location.search).get('ck')
  const final = result?.outcome === 'COMPLETED' || result?.outcome === 'PENDING'
  if (handle === null || !final || result.method === null) return null
  try {
    if (sessionStorage.getItem(TOLD) === handle) return null
    sessionStorage.setItem(TOLD, handle)
  } catch {
    // Without storage it may be told again, which is better than never.
  }
  return result
}

function completionOf(checkout: Checkout, result: CheckoutResult | null): Completion | null {
  if (result === null) return null
  const { transaction, account, redirect, skip_receipt } = result
  return {
    payment_link: checkout.model.payment_link ?? '',
    status: result.outcome === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
    ...(transaction === null ? {} : { transaction }),
    ...(account === null ? {} : { account }),
    ...(skip_receipt && redirect !== null ? { redirect } : {}),
  }
}
