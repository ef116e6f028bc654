import { PAYMENT_METHOD_ID } from '../../shared/rules/ids.ts'
import { requireMethodUnused } from '../charges/method-in-use.ts'
import type { Deps } from '../deps.ts'
import { notFound, invalidState } from '../errors.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import { removePaymentMethod } from '../payment-methods/remove.ts'
import type { CheckoutSession } from './open-session.ts'
import { listSessionMethods, listSavedMethods } from './saved-methods.ts'
import { resolveCurrency } from './view.ts'

/**
 * Removes a method that was saved in this very session. The address of a link proves nothing about
 * who holds it, so what its customer saved before is the merchant's to remove. Throws a ApiError
 * (INVALID_STATE) for such a method and for a session that has run out, 404 for a method that the
 * session does not show, and what `refuseMethodInUse` throws.
 */
export async function removeSessionMethod(
  deps: Deps,
  { instance, link, checkout }: CheckoutSession,
  id: string,
): Promise<void> {
  if (Date.parse(checkout.expires) <= deps.now()) throw invalidState('Checkout is not open')
  if (!PAYMENT_METHOD_ID.test(id)) throw notFound('Payment method')
  const own = await listSessionMethods(deps, checkout)
  if (own.some((method) => method.id === id)) {
    return removePaymentMethod(deps, instance.id, id, requireMethodUnused)
  }
  const { options } = parseLinkContent(link)
  const currency = resolveCurrency(instance, options, checkout)
  const shown = await listSavedMethods(deps, instance, options, { currency, checkout })
  if (!shown.some((method) => method.id === id)) throw notFound('Payment method')
  throw invalidState(
    'Payment method was not saved in this checkout; only the merchant can remove it',
  )
}
