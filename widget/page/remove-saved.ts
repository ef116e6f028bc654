import type { Checkout } from './checkout.ts'
import type { RemovalStep } from './store.ts'

/** The element id of the notice about the saved method. */
export const BLOCK_ID = 'saved-method'

/** Shows a step of the removal and moves the focus to its question or button. */
export function showRemovalStep({ removal }: Checkout, step: RemovalStep): void {
  if (removal.value === 'REMOVING') return
  removal.value = step
  focusAfterRender(step === 'ASKING' ? 'p' : 'button')
}

/**
 * Removes a saved method and announces the outcome. A 404 counts as removed: it was removed in
 * another window.
 */
export async function removeSaved(checkout: Checkout, id: string): Promise<void> {
  const { announcement, flow, removal, send } = checkout
  if (removal.value === 'REMOVING') return
  removal.value = 'REMOVING'
  announcement.value = null
  const path = `/pay/checkouts/current/payment_methods/${id}`
  const response = await send<null>({ path, method: 'DELETE', token: flow.session.token() })
  const removed = response.kind === 'OK' || (response.kind === 'REFUSED' && response.status === 404)
  removal.value = removed ? 'REMOVED' : 'FAILED'
  announcement.value = removed
    ? { id: 'methods.removed' }
    : { id: 'methods.not_removed', values: { merchant: checkout.checkout.value.merchant } }
  // The button that had the focus no longer exists.
  if (removed) focusAfterRender('')
}

/** Focuses the notice, or the first element with this tag name in it. */
function focusAfterRender(tag: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(`#${BLOCK_ID} ${tag}`.trim())?.focus())
}
