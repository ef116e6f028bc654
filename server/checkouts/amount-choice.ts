import type { CheckoutTerms } from '../../shared/page-model.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Instance } from '../db/tables/instances.ts'
import { serves, takesCurrency } from '../processors/offered.ts'
import type { AmountLimits, Processor } from '../processors/port.ts'

/**
 * Returns the member `choice` of the terms: what the payer may choose, within the bounds of the link and
 * those of the payment methods. None for a link that needs none.
 */
export function amountChoice(
  options: PaymentLinkOptions,
  currency: string,
  limits: AmountLimits,
): Pick<CheckoutTerms, 'choice'> {
  const { amount_presets, unit_amount, quantity_max } = options
  const choice = {
    ...bounds(options, currency, limits),
    ...(amount_presets != null && {
      amount_presets: amount_presets.map((amount) => formatted(amount, currency)),
    }),
    ...(unit_amount != null && { unit_amount: formatted(unit_amount, currency) }),
    ...(quantity_max != null && { quantity_max }),
  }
  return Object.keys(choice).length === 0 ? {} : { choice }
}

/**
 * Returns the limits of an amount that the methods of the processors have in common, in minor units: one
 * that every method is bound by, and the widest of them.
 */
export function commonLimits(
  processors: readonly Processor[],
  { mode }: Pick<Instance, 'mode'>,
  currency: string,
): AmountLimits {
  const limits = processors
    .filter((processor) => serves(processor, mode, currency))
    .flatMap(({ capabilities }) => capabilities.methods)
    .filter((method) => takesCurrency(method, currency))
    .map(({ amounts = {} }): AmountLimits => amounts[currency] ?? {})
  const mins = limits.flatMap(({ min }) => min ?? [])
  const maxs = limits.flatMap(({ max }) => max ?? [])
  const isCommon = (bound: number[]) => bound.length > 0 && bound.length === limits.length
  return {
    ...(isCommon(mins) && { min: Math.min(...mins) }),
    ...(isCommon(maxs) && { max: Math.max(...maxs) }),
  }
}

type Bounds = Pick<NonNullable<CheckoutTerms['choice']>, 'amount_min' | 'amount_max'>

function bounds(
  options: PaymentLinkOptions,
  currency: string,
  { min = 0, max = Infinity }: AmountLimits,
): Bounds {
  // A quantity is bound by `quantity_max`, and a fixed amount by the methods that are offered.
  const isTyped = payerFields(options).amount_editable && options.unit_amount == null
  if (!isTyped) return {}
  const least = Math.max(min, minorOf(options.amount_min, currency) ?? 0)
  const most = Math.min(max, minorOf(options.amount_max, currency) ?? Infinity)
  return {
    ...(least > 0 && { amount_min: amountText(least, currency) }),
    ...(most < Infinity && { amount_max: amountText(most, currency) }),
  }
}

function minorOf(amount: string | null | undefined, currency: string): number | undefined {
  const parsed = amount == null ? undefined : parseAmount(amount, currencyDigits(currency) ?? 2)
  return parsed?.ok ? parsed.minor : undefined
}

/** An amount that the currency cannot express stays as it is; its link cannot be paid. */
function formatted(amount: string, currency: string): string {
  const digits = currencyDigits(currency) ?? 2
  const parsed = parseAmount(amount, digits)
  return parsed.ok ? formatMinor(parsed.minor, digits) : amount
}
