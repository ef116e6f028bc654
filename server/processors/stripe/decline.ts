import type { DeclineCode, ProcessorResponse, RetryAdvice } from '../port.ts'
import type { StripeErrorBody } from './client.ts'

/** Stripe's codes, of an error or of a decline, by what they mean to the payer. */
const CODES: ReadonlyMap<string, DeclineCode> = new Map(
  Object.entries({
    insufficient_funds: 'INSUFFICIENT_FUNDS',
    withdrawal_count_limit_exceeded: 'INSUFFICIENT_FUNDS',
    card_velocity_exceeded: 'INSUFFICIENT_FUNDS',
    expired_card: 'EXPIRED_CARD',
    invalid_expiry_month: 'EXPIRED_CARD',
    invalid_expiry_year: 'EXPIRED_CARD',
    incorrect_cvc: 'WRONG_SECURITY_CODE',
    invalid_cvc: 'WRONG_SECURITY_CODE',
    incorrect_number: 'INVALID_METHOD',
    invalid_number: 'INVALID_METHOD',
    card_not_supported: 'INVALID_METHOD',
    currency_not_supported: 'INVALID_METHOD',
    invalid_account: 'INVALID_METHOD',
    payment_method_unexpected_state: 'INVALID_METHOD',
    payment_intent_authentication_failure: 'AUTHENTICATION_FAILED',
    setup_intent_authentication_failure: 'AUTHENTICATION_FAILED',
    payment_intent_payment_attempt_expired: 'AUTHENTICATION_FAILED',
    authentication_required: 'AUTHENTICATION_REQUIRED',
    payment_method_customer_decline: 'CANCELLED',
    payment_method_provider_timeout: 'CANCELLED',
  } as const),
)

/** Charging such a card again would only be declined again, or is forbidden by the card schemes. */
const NEVER_AGAIN = new Set(['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'])

/** Stripe has no code for these. */
const UNUSABLE = /may not be used again|belongs to a customer/i

/** Returns the reason of a failed payment. Whatever Stripe does not explain is DECLINED. */
export function declineCode(error: StripeErrorBody): DeclineCode {
  const known = CODES.get(error.decline_code ?? '') ?? CODES.get(error.code ?? '')
  return known ?? (isUnusableMethod(error) ? 'INVALID_METHOD' : 'DECLINED')
}

/** Returns whether Stripe refuses a payment method itself, not this payment. */
export function isUnusableMethod({ code, param, message = '' }: StripeErrorBody): boolean {
  const isUnknown = code === 'resource_missing' && param === 'payment_method'
  return isUnknown || code === 'payment_method_unexpected_state' || UNUSABLE.test(message)
}

export function retryAdvice(error: StripeErrorBody): RetryAdvice {
  const code = declineCode(error)
  if (code === 'AUTHENTICATION_REQUIRED') return 'WITH_PAYER'
  const isFinal =
    error.advice_code === 'do_not_try_again' ||
    code === 'INVALID_METHOD' ||
    NEVER_AGAIN.has(error.decline_code ?? '')
  return isFinal ? 'NEVER' : 'LATER'
}

/** The decline of an operation that was canceled before any bank decided. */
export const CANCELLED: Extract<ProcessorResponse, { status: 'DECLINED' }> = {
  status: 'DECLINED',
  reference: null,
  code: 'CANCELLED',
  message: 'The operation was canceled.',
}
