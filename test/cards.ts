import { TEST_CARDS } from '../server/processors/sandbox/test-cards.ts'
import type { Scenario } from '../server/processors/sandbox/scenarios.ts'

/** Returns the sandbox's first card number for a scenario. */
export function cardNumberFor(scenario: Scenario): string {
  const entry = Object.entries(TEST_CARDS).find(([, value]) => value === scenario)
  if (!entry) throw new Error(`No test card has the scenario ${scenario}`)
  return entry[0]
}

export const CARDS = {
  approve: cardNumberFor('APPROVE'),
  mastercard: '5555555555554444',
  amex: '378282246310005',
  germany: '4000002760000016',
  spain: '4000007240000007',
  decline: cardNumberFor('DECLINE'),
  insufficient: cardNumberFor('INSUFFICIENT_FUNDS'),
  expired: cardNumberFor('EXPIRED_CARD'),
  wrongCode: cardNumberFor('WRONG_SECURITY_CODE'),
  challenge: cardNumberFor('CHALLENGE'),
  challengeThenInsufficient: cardNumberFor('CHALLENGE_THEN_INSUFFICIENT_FUNDS'),
  pendingSuccess: cardNumberFor('PENDING_THEN_SUCCESS'),
  pendingFailure: cardNumberFor('PENDING_THEN_FAILURE'),
  noAnswerTaken: cardNumberFor('TAKEN_WITHOUT_ANSWER'),
  noAnswerNotTaken: cardNumberFor('LOST_WITHOUT_ANSWER'),
  refundPendingSuccess: cardNumberFor('REFUND_PENDING_THEN_SUCCESS'),
  refundPendingFailure: cardNumberFor('REFUND_PENDING_THEN_FAILURE'),
  capturePendingSuccess: cardNumberFor('CAPTURE_PENDING_THEN_SUCCESS'),
  capturePendingFailure: cardNumberFor('CAPTURE_PENDING_THEN_FAILURE'),
}
