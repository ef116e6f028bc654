import type { PageContext } from '../context.ts'

/** Removes a saved method for good, says so, and leaves the focus on what can be paid with now. */
export async function removeSaved(
  { checkout, form }: Pick<PageContext, 'checkout' | 'form'>,
  id: string,
): Promise<void> {
  const { session } = checkout.paying
  const path = `/pay/checkouts/current/payment_methods/${id}`
  const answer = await checkout.ask<null>({ path, method: 'DELETE', token: session.token() })
  form.removing.value = null
  // One that is unknown by now was removed in another window: gone is what was wanted.
  const gone = answer.kind === 'OK' || (answer.kind === 'REFUSED' && answer.status === 404)
  if (!gone || !(await session.refresh('TERMS'))) {
    checkout.notice.value = { tone: 'problem', id: 'errors.no_connection' }
  } else {
    form.values.saved_csc.value = ''
    checkout.whisper.value = { id: 'methods.removed' }
  }
  checkout.attention.value += 1
}
