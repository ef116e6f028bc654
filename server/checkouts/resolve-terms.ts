import { currencyDigits } from '../../shared/rules/currency.ts'
import { AMOUNT_LENGTH_MAX, type AmountProblem, parseAmount } from '../../shared/rules/money.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { invalid } from '../errors.ts'

/** What is paid, after the link's terms and the payer's own fields were put together. */
export interface ResolvedTerms {
  /** Minor units. */
  amount: number
  currency: string
  altKey: string | null
  description: string | null
  payerComment: string | null
}

/**
 * Puts the payer's fields and the link's terms together. A value that differs from a fixed term is
 * refused, not ignored: the payer would believe in it (contract section 7.3).
 */
export function resolveTerms(
  options: PaymentLinkOptions,
  currency: string,
  sent: SubmitBody,
): ResolvedTerms {
  if (sent.currency !== undefined && sent.currency !== currency) {
    throw invalid('currency', `must be ${currency}, the currency of the link`)
  }
  return {
    amount: agreeAmount(options, currency, sent.amount),
    currency,
    altKey: agreeAltKey(options, sent.alt_key),
    ...agreeDescription(options, sent.description),
  }
}

function agreeAmount(
  options: PaymentLinkOptions,
  currency: string,
  sent: string | undefined,
): number {
  const fields = payerFields(options)
  const digits = currencyDigits(currency) ?? 2
  const text = fields.amount_editable ? (sent ?? fields.amount) : fields.amount
  if (text === null) throw invalid('amount', 'is required')
  const parsed = parseAmount(text, digits)
  if (!parsed.ok) throw invalid('amount', amountRule(parsed.problem, currency))
  if (!fields.amount_editable && sent !== undefined) {
    const typed = parseAmount(sent, digits)
    if (!typed.ok || typed.minor !== parsed.minor) throw invalid('amount', 'is fixed by the link')
  }
  return parsed.minor
}

function amountRule(problem: AmountProblem, currency: string): string {
  if (problem === 'TOO_LONG') return `must be at most ${AMOUNT_LENGTH_MAX} characters`
  if (problem === 'DECIMALS') return `has too many decimal places for ${currency}`
  if (problem === 'TOO_LARGE') return `is too large for ${currency}`
  return 'must be a decimal amount'
}

function agreeAltKey(options: PaymentLinkOptions, sent: string | null | undefined): string | null {
  const fields = payerFields(options)
  if (fields.alt_key_editable) return sent === undefined ? fields.alt_key : sent
  // Merchants find payments by this key, so a payer sets it only where they were asked to.
  if (sent !== undefined && sent !== fields.alt_key) {
    const rule = fields.alt_key === null ? 'is not asked for by the link' : 'is fixed by the link'
    throw invalid('alt_key', rule)
  }
  return fields.alt_key
}

/** A fixed comment and the payer's own one may stand side by side. */
function agreeDescription(
  options: PaymentLinkOptions,
  sent: string | undefined,
): { description: string | null; payerComment: string | null } {
  const fields = payerFields(options)
  const shown = fields.description
  const own = sent === undefined || sent === '' ? null : sent
  if (fields.comment_allowed) {
    return { description: shown, payerComment: own === shown ? null : own }
  }
  if (fields.description_editable) {
    return { description: sent === undefined ? shown : own, payerComment: null }
  }
  if (own !== null && own !== shown) throw invalid('description', 'is fixed by the link')
  return { description: shown, payerComment: null }
}
