import type { Instance } from '../db/rows.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState } from '../errors.ts'
import { noProcessor, offeredMethods, serves } from '../processors/offered.ts'

/**
 * Throws an ApiError when no payment method could pay a link: no processor serves the instance or
 * the currency, or the link's options exclude every method.
 */
export async function requirePaymentMethod(
  { processors, db }: Pick<Deps, 'processors'> & { db?: Db | Tx },
  instance: Instance,
  options: PaymentLinkOptions,
): Promise<void> {
  const { mode, default_currency } = instance
  const used = await processors.ofInstance(instance, db)
  if (used.length === 0) throw invalidState(noProcessor(mode))
  const currency = options.currency ?? default_currency
  if (!used.some((processor) => serves(processor, mode, currency))) {
    throw invalid(
      'payment_link.options.currency',
      `is ${currency}, which no payment processor of this instance takes`,
    )
  }
  // A known account may have a saved method of a type that is not offered as a new one.
  const maySave = typeof options.account === 'string' && options.force_add !== true
  if (maySave) return
  const offered = offeredMethods(used, mode, options, currency)
  if (offered.length > 0) return
  throw invalid('payment_link.options.save_card', `leaves no way to pay in ${currency}`)
}
