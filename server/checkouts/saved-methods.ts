import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import type { SavedMethod } from '../../shared/page-model.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { PaymentMethod } from '../../shared/schemas/payment-method.ts'
import type { Deps } from '../deps.ts'
import { listReusablePaymentMethods } from '../payment-methods/store.ts'
import { amountProblem, capabilitiesOf, serves, takesCurrency } from '../processors/offered.ts'
import type { Processor } from '../processors/port.ts'

/**
 * Lists the saved methods that a link offers: those of its fixed account, unless the instance or the
 * link hides them, that a processor can charge in `currency` and with `amount` (minor units; undefined
 * when the payer chooses it). With `through`, only those of that processor. With `checkout`, marks the methods that
 * were saved in that session as removable.
 */
export async function listSavedMethods(
  deps: Pick<Deps, 'db' | 'now' | 'processors'>,
  instance: Instance,
  options: PaymentLinkOptions,
  {
    currency,
    amount,
    checkout,
    through = checkout?.processor_id ?? null,
  }: {
    currency: string
    amount?: number | undefined
    checkout?: CheckoutRow | undefined
    through?: string | null
  },
): Promise<SavedMethod[]> {
  const { account } = options
  // Only a charge takes the security code that proves whose card it is.
  const isTrial = options.recurring?.trial_days != null
  const allowed = instance.link_saved_methods === 1 && options.force_add !== true && !isTrial
  if (typeof account !== 'string' || !allowed) return []
  const rows = await listReusablePaymentMethods(deps.db, instance.id, account, deps.now())
  const processors = await Promise.all(rows.map((row) => deps.processors.get(row)))
  return rows.flatMap((row, at) => {
    const processor = processors[at]
    if (through !== null && row.processor !== through) return []
    if (processor === undefined || !serves(processor, instance.mode, currency)) return []
    const method = capabilitiesOf(processor, row.type)
    if (method === undefined || !takesCurrency(method, currency)) return []
    if (options.recurring != null && !method.merchant_initiated) return []
    if (amount !== undefined && amountProblem(method, amount, currency) !== undefined) return []
    return [{ ...serializeSavedMethod(row, checkout), ...securityCodeOf(row, processor) }]
  })
}

/** Returns how the security code of a card is taken, unless it is taken as digits. */
function securityCodeOf(
  { type }: PaymentMethodRow,
  { id, capabilities }: Processor,
): Pick<SavedMethod, 'csc' | 'processor'> {
  const csc = capabilities.methods.find((method) => method.type === type)?.csc
  if (type !== 'CARD' || csc === undefined || csc === 'RAW') return {}
  return csc === 'TOKEN' ? { csc, processor: id } : { csc }
}

/**
 * Lists the methods that were saved in a session and can be removed in it; none once it has expired.
 * Excludes methods that existed before, even if their card was entered again.
 */
export async function listSessionMethods(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  checkout: CheckoutRow,
): Promise<SavedMethod[]> {
  if (Date.parse(checkout.expires) <= now()) return []
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('payments', 'payments.id', 'attempts.payment_id')
    .innerJoin('payment_methods', 'payment_methods.id', 'payments.payment_method_id')
    .selectAll('payment_methods')
    .where('attempts.checkout_id', '=', checkout.id)
    .where('attempts.save', '=', 1)
    .where('payments.instance_id', '=', checkout.instance_id)
    .where('payment_methods.instance_id', '=', checkout.instance_id)
    .where('payment_methods.status', '=', 'ACTIVE')
    .execute()
  return rows.map((row) => serializeSavedMethod(row, checkout)).filter(({ removable }) => removable)
}

function serializeSavedMethod(
  row: PaymentMethodRow,
  checkout: CheckoutRow | undefined,
): SavedMethod {
  const { id, type, brand, last4, exp_month, exp_year } = row
  const consent = JSON.parse(row.consent) as PaymentMethod['consent']
  const removable = checkout !== undefined && consent.checkout === checkout.id
  return { id, type, brand, last4, exp_month, exp_year, ...(removable && { removable }) }
}
