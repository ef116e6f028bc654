import { brokenBound, productText } from '../../shared/rules/amount-choice.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { parseMinorUnits } from '../amount.ts'
import { invalid } from '../errors.ts'

/** The members that exclude one another: the one on the left is refused beside those on the right. */
const EXCLUDED = {
  amount_min: ['amount'],
  amount_max: ['amount'],
  amount_presets: ['amount'],
  unit_amount: ['amount', 'default_amount', 'amount_min', 'amount_max', 'amount_presets'],
} as const

const member = (name: string) => `payment_link.options.${name}`

/** Throws a 400 ApiError for amounts that the currency cannot express or that contradict each other. */
export function validateAmounts(options: PaymentLinkOptions, defaultCurrency: string): void {
  const currency = options.currency ?? defaultCurrency
  for (const [name, text] of listAmounts(options)) parseMinorUnits(member(name), text, currency)
  requireExclusion(options)
  requireBounds(options, currency)
  requireQuantity(options, currency)
}

/** Lists the amounts of a link's options with the names of their members. */
export function listAmounts(options: PaymentLinkOptions): [name: string, text: string][] {
  const single = ['amount', 'default_amount', 'amount_min', 'amount_max', 'unit_amount'] as const
  return [
    ...single.map((name): [string, string | null | undefined] => [name, options[name]]),
    ...(options.amount_presets ?? []).map((text, at): [string, string] => [
      `amount_presets.${at}`,
      text,
    ]),
  ].filter((entry): entry is [string, string] => entry[1] != null)
}

function requireExclusion(options: PaymentLinkOptions): void {
  for (const [name, others] of Object.entries(EXCLUDED)) {
    if (options[name as keyof typeof EXCLUDED] == null) continue
    const other = others.find((excluded) => options[excluded] != null)
    if (other) throw invalid(member(name), `cannot be combined with ${other}`)
  }
}

function requireBounds(options: PaymentLinkOptions, currency: string): void {
  const digits = currencyDigits(currency) ?? 2
  const { amount_min, amount_max, amount_presets, default_amount } = options
  const minor = (text: string) => parseMinorUnits(member('amount'), text, currency)
  if (amount_min != null && amount_max != null && minor(amount_min) > minor(amount_max)) {
    throw invalid(member('amount_min'), 'must not be more than amount_max')
  }
  const bounds = { amount_min: amount_min ?? undefined, amount_max: amount_max ?? undefined }
  const suggested = listAmounts({ amount_presets, default_amount })
  for (const [name, text] of suggested) {
    const broken = brokenBound(bounds, minor(text), digits)
    if (broken) throw invalid(member(name), boundRule(broken, bounds[broken] ?? '', currency))
  }
  const presets = (amount_presets ?? []).map(minor)
  const repeated = presets.findIndex((preset, at) => presets.indexOf(preset) !== at)
  if (repeated >= 0) throw invalid(member(`amount_presets.${repeated}`), 'is given twice')
}

/** Returns the rule that an amount beyond a bound breaks. */
export function boundRule(
  bound: 'amount_min' | 'amount_max',
  limit: string,
  currency: string,
): string {
  const text = amountText(parseMinorUnits(bound, limit, currency), currency)
  return `must be at ${bound === 'amount_min' ? 'least' : 'most'} ${text} ${currency}`
}

function requireQuantity(
  { unit_amount, quantity_max }: PaymentLinkOptions,
  currency: string,
): void {
  if (unit_amount == null && quantity_max == null) return
  if (unit_amount == null) throw invalid(member('quantity_max'), 'requires unit_amount')
  if (quantity_max == null) throw invalid(member('unit_amount'), 'requires quantity_max')
  const digits = currencyDigits(currency) ?? 2
  if (productText(unit_amount, quantity_max, digits) === undefined) {
    throw invalid(member('quantity_max'), `times unit_amount is too large for ${currency}`)
  }
}
