import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import { brokenBound, productText } from '../../shared/rules/amount-choice.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { parseMinorUnits } from '../amount.ts'
import { invalid } from '../errors.ts'
import { boundRule } from '../payment-links/amount-rules.ts'

export interface ResolvedTerms {
  /** Minor units. */
  amount: number
  /** Null where the link asks for no quantity. */
  quantity: number | null
  /** Minor units; null where the link asks for no quantity. */
  unitAmount: number | null
  currency: string
  altKey: string | null
  description: string | null
  payerComment: string | null
}

/**
 * Returns the currency of the link, else of the session, else the instance's default. The session's
 * comes before the default, so that a new default changes no open page.
 */
export function resolveCurrency(
  instance: Instance,
  options: PaymentLinkOptions,
  checkout: CheckoutRow | undefined,
): string {
  return options.currency ?? checkout?.currency ?? instance.default_currency
}

/**
 * Combines the payer's input with the link's terms. Throws INVALID_REQUEST for a value that differs
 * from a fixed term, instead of charging something else than the payer expects.
 */
export function resolveTerms(
  options: PaymentLinkOptions,
  currency: string,
  request: SubmitBody,
): ResolvedTerms {
  if (request.currency !== undefined && request.currency !== currency) {
    throw invalid('currency', `must be ${currency}, the currency of the link`)
  }
  return {
    ...resolveAmount(options, currency, request),
    currency,
    altKey: resolveAltKey(options, request.alt_key),
    ...resolveDescription(options, request.description),
  }
}

/** Returns the amount that a link fixes, in minor units; undefined when the payer may change it. */
export function fixedAmount(options: PaymentLinkOptions, currency: string): number | undefined {
  const { amount, amount_editable } = payerFields(options)
  if (amount === null || amount_editable) return undefined
  const parsed = parseAmount(amount, currencyDigits(currency) ?? 2)
  return parsed.ok ? parsed.minor : undefined
}

/**
 * Returns whether a link has a sum to pay, and the payer agreed to it: a page may be open that shows an
 * earlier one.
 */
export function isSumAsShown(
  options: PaymentLinkOptions,
  currency: string,
  { amount }: SubmitBody,
): boolean {
  const sum = fixedAmount(options, currency)
  if (!sum) return false
  const shown =
    amount === undefined ? undefined : parseAmount(amount, currencyDigits(currency) ?? 2)
  return !shown || (shown.ok && shown.minor === sum)
}
type AmountTerms = Pick<ResolvedTerms, 'amount' | 'quantity' | 'unitAmount'>

function resolveAmount(
  options: PaymentLinkOptions,
  currency: string,
  request: SubmitBody,
): AmountTerms {
  const { unit_amount } = options
  if (unit_amount != null) return resolveProduct({ ...options, unit_amount }, currency, request)
  if (request.quantity !== undefined) throw invalid('quantity', 'is not asked for by the link')
  const fields = payerFields(options)
  const { amount: input } = request
  const text = fields.amount_editable ? (input ?? fields.amount) : fields.amount
  if (text === null) throw invalid('amount', 'is required')
  const amount = parseMinorUnits('amount', text, currency)
  if (!fields.amount_editable && input !== undefined && !isSame(input, amount, currency)) {
    throw invalid('amount', 'is fixed by the link')
  }
  if (fields.amount_editable) requireWithinBounds(options, amount, currency)
  return { amount, quantity: null, unitAmount: null }
}

/** Computes the amount of a quantity; the browser's own product only has to be the same. */
function resolveProduct(
  { unit_amount, quantity_max }: PaymentLinkOptions & { unit_amount: string },
  currency: string,
  { quantity, amount: input }: SubmitBody,
): AmountTerms {
  const most = quantity_max ?? 1
  if (quantity === undefined) throw invalid('quantity', 'is required')
  if (quantity > most) throw invalid('quantity', `must be at most ${most}`)
  const product = productText(unit_amount, quantity, currencyDigits(currency) ?? 2)
  if (product === undefined) throw invalid('quantity', `is too large for ${currency}`)
  const amount = parseMinorUnits('amount', product, currency)
  if (input !== undefined && !isSame(input, amount, currency)) {
    throw invalid('amount', `must be ${product}, the price of ${quantity}`)
  }
  return { amount, quantity, unitAmount: parseMinorUnits('amount', unit_amount, currency) }
}

function isSame(input: string, amount: number, currency: string): boolean {
  const entered = parseAmount(input, currencyDigits(currency) ?? 2)
  return entered.ok && entered.minor === amount
}

function requireWithinBounds(options: PaymentLinkOptions, amount: number, currency: string): void {
  const bounds = {
    amount_min: options.amount_min ?? undefined,
    amount_max: options.amount_max ?? undefined,
  }
  const broken = brokenBound(bounds, amount, currencyDigits(currency) ?? 2)
  if (broken) throw invalid('amount', boundRule(broken, bounds[broken] ?? '', currency))
}

function resolveAltKey(
  options: PaymentLinkOptions,
  input: string | null | undefined,
): string | null {
  const fields = payerFields(options)
  if (fields.alt_key_editable) return input === undefined ? fields.alt_key : input
  // Merchants find payments by this key, so a payer can set it only where the link asks for it.
  if (input !== undefined && input !== fields.alt_key) {
    const rule = fields.alt_key === null ? 'is not asked for by the link' : 'is fixed by the link'
    throw invalid('alt_key', rule)
  }
  return fields.alt_key
}

function resolveDescription(
  options: PaymentLinkOptions,
  input: string | undefined,
): { description: string | null; payerComment: string | null } {
  const fields = payerFields(options)
  const shown = fields.description
  const own = input === undefined || input === '' ? null : input
  if (fields.comment_allowed) {
    return { description: shown, payerComment: own === shown ? null : own }
  }
  if (fields.description_editable) {
    return { description: input === undefined ? shown : own, payerComment: null }
  }
  if (own !== null && own !== shown) throw invalid('description', 'is fixed by the link')
  return { description: shown, payerComment: null }
}
