import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { parseMinorUnits } from '../amount.ts'
import { invalid } from '../errors.ts'
import type { Part } from './parts.ts'

/** A checked payment request, with amounts in minor units. */
export interface ParsedPaymentRequest {
  type: 'PAYMENT' | 'AUTH'
  amount: number
  currency: string
  /** Date-time; null for a payment that is made at once. */
  due: string | null
  recurring: NonNullable<PaymentRequest['recurring']> | null
  parts: Part[]
}

/**
 * Checks what the schema of a payment request cannot. A `due` in the past means now. Throws a 400
 * ApiError that names the member: an amount that the currency cannot express, parts that exceed the
 * payment, or members that exclude each other.
 */
export function parsePaymentRequest(
  request: PaymentRequest,
  defaultCurrency: string,
  now: number,
): ParsedPaymentRequest {
  const currency = request.currency ?? defaultCurrency
  const amount = parseMinorUnits('payment.amount', request.amount, currency)
  const dueMs = request.due == null ? undefined : parseInstant(request.due)
  const due = dueMs !== undefined && dueMs > now ? formatInstant(dueMs) : null
  const type = request.action ?? 'PAYMENT'
  const recurring = request.recurring ?? null
  const parts = (request.parts ?? []).map((part, at) => ({
    charge: part.charge,
    amount: parseMinorUnits(`payment.parts.${at}.amount`, part.amount, currency),
  }))
  if (type === 'AUTH' && due !== null) throw invalid('payment.due', 'requires action PAYMENT')
  if (type === 'AUTH' && recurring) throw invalid('payment.recurring', 'requires action PAYMENT')
  if (parts.length > 0) {
    if (type === 'AUTH') throw invalid('payment.parts', 'requires action PAYMENT')
    if (due !== null || recurring) {
      throw invalid('payment.parts', 'must not be combined with due or recurring')
    }
    if (parts.reduce((sum, part) => sum + part.amount, 0) > amount) {
      throw invalid('payment.parts', 'must not add up to more than the amount')
    }
  }
  return { type, amount, currency, due, recurring, parts }
}
