import type { Deps } from '../deps.ts'
import { notFound, wrongState } from '../http/refusal.ts'
import { linkContent } from '../payment-links/record.ts'
import { removePaymentMethod } from '../payment-methods/remove.ts'
import type { OpenedCheckout } from './open.ts'
import { checkoutStatus } from './status.ts'
import { savedMethods } from './view.ts'

/**
 * The payer removes a saved method that their session offers them. Any other is as unknown as one
 * that never was: a token opens one session, and not the account (contract section 7.4). Throws
 * 404 for those, and a refusal for a session that is over.
 */
export async function removeOfferedMethod(
  deps: Deps,
  { instance, link, checkout }: OpenedCheckout,
  id: string,
): Promise<void> {
  const { options } = linkContent(link)
  if (checkoutStatus(checkout, deps.now()) !== 'OPEN' || link.status !== 'ACTIVE') {
    throw wrongState('Checkout is not open')
  }
  const offered = await savedMethods(deps, instance, options)
  if (!offered.some((method) => method.id === id)) throw notFound('Payment method')
  await removePaymentMethod(deps, instance.id, id)
}
