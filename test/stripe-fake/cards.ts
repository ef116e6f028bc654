/** What a card does, by the number that is typed or the method of Stripe's own tests. */
export type CardBehavior =
  | 'APPROVE'
  | 'CHALLENGE'
  | 'CHALLENGE_ALWAYS'
  | 'FRICTIONLESS'
  | 'PROCESSING_THEN_SUCCESS'
  | 'PROCESSING_THEN_FAILURE'
  | 'DISPUTE'
  | 'REFUND_PENDING'
  | 'REFUND_FAILS'
  | { code: string; decline_code?: string; message: string; advice_code?: string }

const declined = (decline_code: string, message: string): CardBehavior => ({
  code: 'card_declined',
  decline_code,
  message,
})

/** By number. Other numbers that pass the Luhn check are approved. */
export const CARDS: Readonly<Record<string, CardBehavior>> = {
  '4242424242424242': 'APPROVE',
  '5555555555554444': 'APPROVE',
  '378282246310005': 'APPROVE',
  '4000000000000002': declined('generic_decline', 'Your card was declined.'),
  '4000000000009995': declined('insufficient_funds', 'Your card has insufficient funds.'),
  '4000000000009987': declined('lost_card', 'Your card was declined.'),
  '4000000000009979': declined('stolen_card', 'Your card was declined.'),
  '4100000000000019': declined('fraudulent', 'Your card was declined.'),
  '4000000000000069': { code: 'expired_card', message: 'Your card has expired.' },
  '4000000000000127': { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  '4000000000000119': { code: 'processing_error', message: 'An error occurred.' },
  // Confirmed at the bank unless the payer set the card up before.
  '4000002500003155': 'CHALLENGE',
  // Confirmed at the bank every time, also off session.
  '4000002760003184': 'CHALLENGE_ALWAYS',
  '4000000000003055': 'FRICTIONLESS',
  '4000000000000259': 'DISPUTE',
  '4000000000007726': 'REFUND_PENDING',
  '4000000000005126': 'REFUND_FAILS',
  // Not cards of Stripe: outcomes that only other methods have.
  '4000000000000077': 'PROCESSING_THEN_SUCCESS',
  '4000000000000085': 'PROCESSING_THEN_FAILURE',
}

/** By the ids that Stripe's test mode has from the start. */
export const TEST_METHODS: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_authenticationRequired: '4000002760003184',
}

/** Of Stripe's cards that were issued elsewhere than the others, by number. */
const COUNTRIES: Readonly<Record<string, string>> = { '4000007240000007': 'ES' }

export function cardCountry(number: string): string {
  return COUNTRIES[number] ?? 'GB'
}

export function cardBrand(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^5[1-5]/.test(number)) return 'mastercard'
  return /^3[47]/.test(number) ? 'amex' : 'unknown'
}
