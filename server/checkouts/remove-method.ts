import { PAYMENT_METHOD_ID } from '../../shared/rules/ids.ts'
import { requireMethodUnused } from '../charges/method-in-use.ts'
import type { Deps } from '../deps.ts'
import { notFound, invalidState } from '../errors.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { removePaymentMethod } from '../payment-methods/remove.ts'
import { listSessionMethods, listSavedMethods } from './saved-methods.ts'
import { resolveCurrency } from './resolve-terms.ts'
import type { CheckoutSession } from './session.ts'

/**
 * Removes a method that was saved in this session. Methods saved before are the merchant's to remove,
 * because a link does not prove that the payer owns the account: they throw INVALID_STATE, as does an
 * expired session. Throws 404 for a method that the session does not show.
 */
export async function removeSessionMethod(
  deps: Deps,
  { instance, link, checkout }: CheckoutSession,
  id: string,
): Promise<void> {
  if (Date.parse(checkout.expires) <= deps.now()) throw invalidState('Checkout is not open')
  if (!PAYMENT_METHOD_ID.test(id)) throw notFound('Payment method')
  const removable = await listSessionMethods(deps, checkout)
  if (removable.some((method) => method.id === id)) {
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
