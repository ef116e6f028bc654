import { expect, it } from 'vitest'
import type { StripeErrorBody } from './client.ts'
import { declineCode, retryAdvice } from './decline.ts'

const byBank = (decline_code: string): StripeErrorBody => ({ code: 'card_declined', decline_code })

it.each<[StripeErrorBody, string, string]>([
  [byBank('insufficient_funds'), 'INSUFFICIENT_FUNDS', 'LATER'],
  [byBank('withdrawal_count_limit_exceeded'), 'INSUFFICIENT_FUNDS', 'LATER'],
  [byBank('card_velocity_exceeded'), 'INSUFFICIENT_FUNDS', 'LATER'],
  [{ code: 'expired_card' }, 'EXPIRED_CARD', 'LATER'],
  [{ code: 'expired_card', decline_code: 'expired_card' }, 'EXPIRED_CARD', 'LATER'],
  [{ code: 'invalid_expiry_month' }, 'EXPIRED_CARD', 'LATER'],
  [{ code: 'invalid_expiry_year' }, 'EXPIRED_CARD', 'LATER'],
  [{ code: 'incorrect_cvc' }, 'WRONG_SECURITY_CODE', 'LATER'],
  [byBank('invalid_cvc'), 'WRONG_SECURITY_CODE', 'LATER'],
  [{ code: 'incorrect_number' }, 'INVALID_METHOD', 'NEVER'],
  [{ code: 'invalid_number' }, 'INVALID_METHOD', 'NEVER'],
  [byBank('card_not_supported'), 'INVALID_METHOD', 'NEVER'],
  [byBank('currency_not_supported'), 'INVALID_METHOD', 'NEVER'],
  [byBank('invalid_account'), 'INVALID_METHOD', 'NEVER'],
  [{ code: 'resource_missing', param: 'payment_method' }, 'INVALID_METHOD', 'NEVER'],
  [{ code: 'resource_missing', param: 'customer' }, 'DECLINED', 'LATER'],
  [{ code: 'payment_method_unexpected_state' }, 'INVALID_METHOD', 'NEVER'],
  [{ message: 'It was used. It may not be used again.' }, 'INVALID_METHOD', 'NEVER'],
  [{ message: 'The method belongs to a Customer.' }, 'INVALID_METHOD', 'NEVER'],
  [{ code: 'payment_intent_authentication_failure' }, 'AUTHENTICATION_FAILED', 'LATER'],
  [{ code: 'payment_intent_payment_attempt_expired' }, 'AUTHENTICATION_FAILED', 'LATER'],
  [{ code: 'authentication_required' }, 'AUTHENTICATION_REQUIRED', 'WITH_PAYER'],
  [byBank('authentication_required'), 'AUTHENTICATION_REQUIRED', 'WITH_PAYER'],
  [{ code: 'payment_method_customer_decline' }, 'CANCELLED', 'LATER'],
  [{ code: 'payment_method_provider_timeout' }, 'CANCELLED', 'LATER'],
  // The payer does not learn that the bank or Stripe suspects them.
  [byBank('fraudulent'), 'DECLINED', 'NEVER'],
  [byBank('lost_card'), 'DECLINED', 'NEVER'],
  [byBank('stolen_card'), 'DECLINED', 'NEVER'],
  [byBank('pickup_card'), 'DECLINED', 'NEVER'],
  [byBank('generic_decline'), 'DECLINED', 'LATER'],
  [byBank('try_again_later'), 'DECLINED', 'LATER'],
  [byBank('a code of the future'), 'DECLINED', 'LATER'],
  [{ code: 'processing_error' }, 'DECLINED', 'LATER'],
  [{ ...byBank('generic_decline'), advice_code: 'do_not_try_again' }, 'DECLINED', 'NEVER'],
  [
    { ...byBank('insufficient_funds'), advice_code: 'do_not_try_again' },
    'INSUFFICIENT_FUNDS',
    'NEVER',
  ],
  [{ ...byBank('generic_decline'), advice_code: 'try_again_later' }, 'DECLINED', 'LATER'],
  [
    { ...byBank('authentication_required'), advice_code: 'do_not_try_again' },
    'AUTHENTICATION_REQUIRED',
    'WITH_PAYER',
  ],
  // Names that every object has.
  [byBank('constructor'), 'DECLINED', 'LATER'],
  [{ code: 'toString' }, 'DECLINED', 'LATER'],
  [{}, 'DECLINED', 'LATER'],
])('reads %o as %s, to be charged again %s', (error, code, retry) => {
  expect(declineCode(error)).toBe(code)
  expect(retryAdvice(error)).toBe(retry)
})
