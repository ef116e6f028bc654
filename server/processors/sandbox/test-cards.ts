import { passesLuhn } from '../../../shared/rules/luhn.ts'
import type { Scenario } from './scenarios.ts'

/** The test cards. The sandbox rejects any other number. */
export const TEST_CARDS: Readonly<Record<string, Scenario>> = {
  '4242424242424242': 'APPROVE',
  '5555555555554444': 'APPROVE',
  '378282246310005': 'APPROVE',
  '4000002760000016': 'APPROVE',
  '4000007240000007': 'APPROVE',
  '4000000000000002': 'DECLINE',
  '4000000000009995': 'INSUFFICIENT_FUNDS',
  '4000000000000069': 'EXPIRED_CARD',
  '4000000000000127': 'WRONG_SECURITY_CODE',
  '4000000000003220': 'CHALLENGE',
  '4000008260003178': 'CHALLENGE_THEN_INSUFFICIENT_FUNDS',
  '4000000000000077': 'PENDING_THEN_SUCCESS',
  '4000000000000259': 'PENDING_THEN_FAILURE',
  '4000000000000119': 'TAKEN_WITHOUT_ANSWER',
  '4000000000000143': 'LOST_WITHOUT_ANSWER',

  '4000000000000341': 'DECLINE_WHEN_STORED',
  '4000002500003155': 'CHALLENGE_UNTIL_STORED',
  '4000002760003184': 'CHALLENGE',

  '4000000000007726': 'REFUND_PENDING_THEN_SUCCESS',
  '4000000000005126': 'REFUND_PENDING_THEN_FAILURE',
  // The third group of four is the operation: 1 a refund, 2 a capture, 3 a void, 4 a dispute.
  '4000000010000018': 'REFUND_DECLINE',
  '4000000010000026': 'REFUND_FAILURE_DAYS_LATER',
  '4000000010000034': 'REFUND_REVIEW_THEN_SUCCESS',
  '4000000010000042': 'REFUND_REVIEW_THEN_FAILURE',
  '4000000010000059': 'REFUND_CARD_CLOSED',
  '4000000010000067': 'REFUND_TAKEN_WITHOUT_ANSWER',
  '4000000010000075': 'REFUND_LOST_WITHOUT_ANSWER',
  '4000000010000083': 'REFUND_WHOLE_ONLY',
  '4000000010000091': 'REFUND_ONCE',
  '4000000010000109': 'REFUND_BY_HAND',

  '4000000020000016': 'CAPTURE_DECLINE',
  '4000000020000024': 'CAPTURE_FAILURE_DAYS_LATER',
  '4000000020000032': 'CAPTURE_REVIEW_THEN_SUCCESS',
  '4000000020000040': 'CAPTURE_REVIEW_THEN_FAILURE',
  '4000000020000057': 'CAPTURE_PENDING_THEN_SUCCESS',
  '4000000020000065': 'CAPTURE_PENDING_THEN_FAILURE',
  '4000000020000073': 'CAPTURE_TAKEN_WITHOUT_ANSWER',
  '4000000020000081': 'CAPTURE_LOST_WITHOUT_ANSWER',
  '4000000020000099': 'CAPTURE_ONCE',
  '4000000020000107': 'CAPTURE_WHOLE_ONLY',

  '4000000030000014': 'VOID_DECLINE',
  '4000000030000022': 'VOID_PENDING_THEN_SUCCESS',
  '4000000030000030': 'VOID_PENDING_THEN_FAILURE',
  '4000000030000048': 'VOID_UNSUPPORTED',

  '4000000040000004': 'DISPUTE_LOST',
  '4000000040000012': 'DISPUTE_WON',
}

/** The debit is returned unpaid. The last digits are those of the matching card. */
export const FAILING_IBAN = 'GB68SAND00000000000259'

/** The debit succeeds. */
export const WORKING_IBAN = 'GB35SAND00000000000077'

/** The test accounts. The sandbox rejects any other IBAN. */
export const TEST_ACCOUNTS: Readonly<Record<string, Scenario>> = {
  [WORKING_IBAN]: 'PENDING_THEN_SUCCESS',
  [FAILING_IBAN]: 'PENDING_THEN_FAILURE',
  GB85SAND00000000000341: 'PENDING_THEN_FAILURE_WHEN_STORED',
  GB25SAND00000000007726: 'DEBIT_REFUND_PENDING_THEN_SUCCESS',
  GB94SAND00000000005126: 'DEBIT_REFUND_PENDING_THEN_FAILURE',
}

export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** Returns whether a text is 12 to 19 digits with a valid check digit. */
export function isCardNumber(text: string): boolean {
  return /^[0-9]{12,19}$/.test(text) && passesLuhn(text)
}

/** Returns undefined for anything but a test card, such as a real number. */
export function cardScenario(digits: string): Scenario | undefined {
  return Object.hasOwn(TEST_CARDS, digits) ? TEST_CARDS[digits] : undefined
}

/** `iban` is in capitals. Returns undefined for anything but a test account. */
export function ibanScenario(iban: string): Scenario | undefined {
  return Object.hasOwn(TEST_ACCOUNTS, iban) ? TEST_ACCOUNTS[iban] : undefined
}

/** The brands of the test cards by their first digit. */
const BRANDS: Readonly<Record<string, string>> = { 3: 'amex', 4: 'visa', 5: 'mastercard' }

/** Where the cards were issued that lead to a country, by their number. */
const COUNTRIES: Readonly<Record<string, string>> = {
  '4000002760000016': 'DE',
  '4000007240000007': 'ES',
}

/** Returns where a test card was issued, ISO 3166-1; null where that is not known. */
export function cardCountry(digits: string): string | null {
  return COUNTRIES[digits] ?? null
}

/** Returns the brand of a test card in lower case; null for any other number. */
export function cardBrand(digits: string): string | null {
  return BRANDS[digits.charAt(0)] ?? null
}
