import type { DeclineCode, ThreeDs } from '../port.ts'

/** What a method is going to do: fixed by its number, so that every test can choose its outcome. */
export type Scenario =
  | 'APPROVE'
  | 'DECLINE'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPIRED_CARD'
  | 'WRONG_SECURITY_CODE'
  | 'CHALLENGE'
  | 'CHALLENGE_THEN_INSUFFICIENT_FUNDS'
  | 'PENDING_THEN_SUCCESS'
  | 'PENDING_THEN_FAILURE'
  | 'TAKEN_WITHOUT_ANSWER'
  | 'LOST_WITHOUT_ANSWER'
  | 'BANK_PAGE'

export type Choice = 'approve' | 'decline'

/** Where an operation goes next. */
export type Step =
  | { state: 'APPROVED'; three_ds?: ThreeDs }
  | { state: 'DECLINED'; code: DeclineCode; message: string; three_ds?: ThreeDs }
  | { state: 'PENDING' }
  | { state: 'ACTION' }

/** A refusal in the form that an operation keeps. */
export function declined(code: DeclineCode, message: string, three_ds?: ThreeDs): Step {
  return { state: 'DECLINED', code, message, ...(three_ds && { three_ds }) }
}

const insufficientFunds = (three_ds?: ThreeDs) =>
  declined('INSUFFICIENT_FUNDS', 'The account does not hold enough money.', three_ds)

/**
 * What happens when an operation with this scenario is sent (contract section 19). LOST: it never
 * arrives, and the gateway keeps nothing of it.
 */
export function firstStep(scenario: Scenario): Step | 'LOST' {
  switch (scenario) {
    case 'APPROVE':
    case 'TAKEN_WITHOUT_ANSWER':
      return { state: 'APPROVED' }
    case 'DECLINE':
      return declined('DECLINED', 'The bank declined the payment.')
    case 'INSUFFICIENT_FUNDS':
      return insufficientFunds()
    case 'EXPIRED_CARD':
      return declined('EXPIRED_CARD', 'The card has expired.')
    case 'WRONG_SECURITY_CODE':
      return declined('WRONG_SECURITY_CODE', 'The security code is wrong.')
    case 'CHALLENGE':
    case 'CHALLENGE_THEN_INSUFFICIENT_FUNDS':
    case 'BANK_PAGE':
      return { state: 'ACTION' }
    case 'PENDING_THEN_SUCCESS':
    case 'PENDING_THEN_FAILURE':
      return { state: 'PENDING' }
    case 'LOST_WITHOUT_ANSWER':
      return 'LOST'
  }
}

/** What the payer's choice on the bank's page leads to. A transfer still takes time after it. */
export function stepAfterChoice(scenario: Scenario | null, choice: Choice): Step {
  if (scenario === 'BANK_PAGE') {
    return choice === 'approve'
      ? { state: 'PENDING' }
      : declined('CANCELLED', 'The payer did not approve the transfer.')
  }
  if (choice === 'decline') {
    return declined('AUTHENTICATION_FAILED', 'The payer did not confirm the payment.', 'FAILED')
  }
  if (scenario === 'CHALLENGE_THEN_INSUFFICIENT_FUNDS') return insufficientFunds('CHALLENGED')
  return { state: 'APPROVED', three_ds: 'CHALLENGED' }
}

/** How a pending operation ends. */
export function stepAfterWaiting(scenario: Scenario | null): Step {
  return scenario === 'PENDING_THEN_FAILURE'
    ? declined('DECLINED', 'The bank returned the payment.')
    : { state: 'APPROVED' }
}
