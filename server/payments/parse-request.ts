import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { invalid } from '../errors.ts'

/** What a payment request asks for, with amounts in minor units and its rules checked. */
export interface PaymentOrder {
  type: 'PAYMENT' | 'AUTH'
  amount: number
  currency: string
  /** When it is to be taken; null for now. */
  due: string | null
  recurring: NonNullable<PaymentRequest['recurring']> | null
  parts: { charge: string; amount: number }[]
}

/**
 * Reads a request (contract section 10.1). A `due` that has passed means now. Throws a 400 ApiError
 * that names the member: amounts that the currency cannot express, parts beyond the payment, and
 * combinations that have no meaning.
 */
export function parsePaymentRequest(
  request: PaymentRequest,
  defaultCurrency: string,
  now: number,
): PaymentOrder {
  const currency = request.currency ?? defaultCurrency
  const amount = parseAmountMember('payment.amount', request.amount, currency)
  const dueMs = request.due == null ? undefined : parseInstant(request.due)
  const due = dueMs !== undefined && dueMs > now ? formatInstant(dueMs) : null
  const type = request.action ?? 'PAYMENT'
  const recurring = request.recurring ?? null
  const parts = (request.parts ?? []).map((part, at) => ({
    charge: part.charge,
    amount: parseAmountMember(`payment.parts.${at}.amount`, part.amount, currency),
  }))
  if (type === 'AUTH' && due !== null) throw invalid('payment.due', 'goes with action PAYMENT only')
  if (type === 'AUTH' && recurring)
    throw invalid('payment.recurring', 'goes with action PAYMENT only')
  if (parts.length > 0) {
    if (type === 'AUTH') throw invalid('payment.parts', 'goes with action PAYMENT only')
    if (due !== null || recurring) {
      throw invalid('payment.parts', 'names charges to pay now, so it excludes due and recurring')
    }
    if (parts.reduce((sum, part) => sum + part.amount, 0) > amount) {
      throw invalid('payment.parts', 'may not add up to more than the amount')
    }
  }
  return { type, amount, currency, due, recurring, parts }
}

/** Minor units of an amount that was sent; a 400 ApiError when the currency has no such amount. */
export function parseAmountMember(member: string, text: string, currency: string): number {
  const parsed = parseAmount(text, currencyDigits(currency) ?? 2)
  if (parsed.ok) return parsed.minor
  throw parsed.problem === 'DECIMALS'
    ? invalid(member, `has too many decimal places for ${currency}`)
    : invalid(member, 'is too large')
}
