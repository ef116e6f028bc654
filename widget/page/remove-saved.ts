import type { Checkout } from './checkout.ts'
import type { Removal } from './store.ts'

/** The id of the part of the receipt that says that a method was saved. */
export const BLOCK_ID = 'saved-method'

/**
 * Shows the next step of a removal and moves the focus along: to the question, or back to the
 * button that asked it. A step that is under way is not left.
 */
export function showStep({ removal }: Checkout, step: Removal): void {
  if (removal.value === 'REMOVING') return
  removal.value = step
  focusWhenDrawn(step === 'ASKING' ? 'p' : 'button')
}

/**
 * Removes a method that this session saved, and announces how that ended. One that the server no
 * longer knows was removed in another window, which is what the payer wants.
 */
export async function removeSaved(checkout: Checkout, id: string): Promise<void> {
  const { ask, paying, removal, whisper } = checkout
  if (removal.value === 'REMOVING') return
  removal.value = 'REMOVING'
  whisper.value = null
  const path = `/pay/checkouts/current/payment_methods/${id}`
  const answer = await ask<null>({ path, method: 'DELETE', token: paying.session.token() })
  const gone = answer.kind === 'OK' || (answer.kind === 'REFUSED' && answer.status === 404)
  removal.value = gone ? 'REMOVED' : 'FAILED'
  whisper.value = gone
    ? { id: 'methods.removed' }
    : { id: 'methods.not_removed', values: { merchant: checkout.checkout.value.merchant } }
  // The button that had the focus is gone with the method.
  if (gone) focusWhenDrawn('')
}

/** Focuses the block, or the first element in it with a given tag name, after the next drawing. */
function focusWhenDrawn(tag: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(`#${BLOCK_ID} ${tag}`.trim())?.focus())
}
