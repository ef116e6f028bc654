import type { DeclineCode, PaymentCapability, ThreeDs } from '../port.ts'

/** CANCEL is a tombstone: a key that was canceled before its request arrived. */
export type OperationKind = 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID' | 'SETUP' | 'CANCEL'

export type Choice = 'approve' | 'decline'

/** The next state of an operation. */
export type Step =
  | { state: 'APPROVED'; three_ds?: ThreeDs }
  | { state: 'DECLINED'; code: DeclineCode; message: string; three_ds?: ThreeDs }
  /** `settles_after_ms` replaces the settling time of the sandbox's settings. */
  | { state: 'PENDING'; message?: string; settles_after_ms?: number }
  | { state: 'ACTION' }

type Pending = Extract<Step, { state: 'PENDING' }>

/** The course of one operation, from the request to its final state. */
interface Course {
  /** LOST: the request never arrives and the gateway stores nothing. */
  first: Step | 'LOST'
  /** After ACTION, by the payer's choice on the bank's page. */
  choice?: Record<Choice, Step>
  /** After PENDING; approved when left out. */
  end?: Step
  /** The connection breaks after the first step, so the response is lost. */
  isSilent?: true
}

/** A state of a dispute. Times count from the payment or capture. */
export interface DisputeStep {
  after_ms: number
  status: 'OPEN' | 'WON' | 'LOST'
  /** Deadline for evidence. */
  due_after_ms?: number
}

interface Dispute {
  reason: string
  steps: readonly DisputeStep[]
}

/** The behavior of a card or account. An operation that is left out is approved at once. */
interface Behavior {
  take?: Course
  capture?: Course
  refund?: Course
  void?: Course
  dispute?: Dispute
  /** Capabilities that its payments lack. */
  unsupported?: readonly PaymentCapability[]
}

const DAY_MS = 86_400_000

const APPROVED: Step = { state: 'APPROVED' }
const CHALLENGED: Step = { state: 'APPROVED', three_ds: 'CHALLENGED' }
const PENDING: Pending = { state: 'PENDING' }

export function declined(code: DeclineCode, message: string, three_ds?: ThreeDs): Step {
  return { state: 'DECLINED', code, message, ...(three_ds && { three_ds }) }
}

const insufficientFunds = (three_ds?: ThreeDs) =>
  declined('INSUFFICIENT_FUNDS', 'The account does not hold enough money.', three_ds)
const notConfirmed = declined(
  'AUTHENTICATION_FAILED',
  'The payer did not confirm the payment.',
  'FAILED',
)
const challenge = (approve: Step): Course => ({
  first: { state: 'ACTION' },
  choice: { approve, decline: notConfirmed },
})

const now = (first: Step): Course => ({ first })
const later = (end: Step, pending = PENDING): Course => ({ first: pending, end })
const refused = (what: string) => declined('DECLINED', `The bank declined the ${what}.`)
const returned = (what: string) => declined('DECLINED', `The bank returned the ${what}.`)
const accepted: Pending = { state: 'PENDING', settles_after_ms: 3 * DAY_MS }
const review = (what: string): Pending => ({
  state: 'PENDING',
  message: `The processor reviews this ${what} by hand.`,
  settles_after_ms: DAY_MS,
})
const reviewed = (what: string) => declined('DECLINED', `The review refused this ${what}.`)
const TAKEN_WITHOUT_ANSWER: Course = { first: APPROVED, isSilent: true }
const LOST_WITHOUT_ANSWER: Course = { first: 'LOST' }

const BEHAVIORS = {
  APPROVE: {},
  DECLINE: { take: now(refused('payment')) },
  INSUFFICIENT_FUNDS: { take: now(insufficientFunds()) },
  EXPIRED_CARD: { take: now(declined('EXPIRED_CARD', 'The card has expired.')) },
  WRONG_SECURITY_CODE: {
    take: now(declined('WRONG_SECURITY_CODE', 'The security code is wrong.')),
  },
  CHALLENGE: { take: challenge(CHALLENGED) },
  CHALLENGE_THEN_INSUFFICIENT_FUNDS: { take: challenge(insufficientFunds('CHALLENGED')) },
  CHALLENGE_UNTIL_STORED: { take: challenge(CHALLENGED) },
  DECLINE_WHEN_STORED: {},
  PENDING_THEN_SUCCESS: { take: later(APPROVED) },
  PENDING_THEN_FAILURE: { take: later(returned('payment')) },
  PENDING_THEN_FAILURE_WHEN_STORED: { take: later(APPROVED) },
  DEBIT_REFUND_PENDING_THEN_SUCCESS: { take: later(APPROVED), refund: later(APPROVED) },
  DEBIT_REFUND_PENDING_THEN_FAILURE: { take: later(APPROVED), refund: later(returned('refund')) },
  TAKEN_WITHOUT_ANSWER: { take: TAKEN_WITHOUT_ANSWER },
  LOST_WITHOUT_ANSWER: { take: LOST_WITHOUT_ANSWER },
  // A transfer settles some time after the payer has approved it.
  BANK_PAGE: {
    take: {
      first: { state: 'ACTION' },
      choice: {
        approve: PENDING,
        decline: declined('CANCELLED', 'The payer did not approve the transfer.'),
      },
    },
  },

  REFUND_PENDING_THEN_SUCCESS: { refund: later(APPROVED) },
  REFUND_PENDING_THEN_FAILURE: { refund: later(returned('refund')) },
  REFUND_DECLINE: { refund: now(refused('refund')) },
  REFUND_FAILURE_DAYS_LATER: { refund: later(returned('refund'), accepted) },
  REFUND_REVIEW_THEN_SUCCESS: { refund: later(APPROVED, review('refund')) },
  REFUND_REVIEW_THEN_FAILURE: { refund: later(reviewed('refund'), review('refund')) },
  REFUND_CARD_CLOSED: { refund: now(declined('INVALID_METHOD', 'The card has been closed.')) },
  REFUND_TAKEN_WITHOUT_ANSWER: { refund: TAKEN_WITHOUT_ANSWER },
  REFUND_LOST_WITHOUT_ANSWER: { refund: LOST_WITHOUT_ANSWER },
  REFUND_WHOLE_ONLY: { unsupported: ['partial_refund'] },
  REFUND_ONCE: { unsupported: ['multiple_refunds'] },
  REFUND_BY_HAND: { unsupported: ['refund'] },

  CAPTURE_PENDING_THEN_SUCCESS: { capture: later(APPROVED) },
  CAPTURE_PENDING_THEN_FAILURE: { capture: later(returned('capture')) },
  CAPTURE_DECLINE: { capture: now(refused('capture')) },
  CAPTURE_FAILURE_DAYS_LATER: { capture: later(returned('capture'), accepted) },
  CAPTURE_REVIEW_THEN_SUCCESS: { capture: later(APPROVED, review('capture')) },
  CAPTURE_REVIEW_THEN_FAILURE: { capture: later(reviewed('capture'), review('capture')) },
  CAPTURE_TAKEN_WITHOUT_ANSWER: { capture: TAKEN_WITHOUT_ANSWER },
  CAPTURE_LOST_WITHOUT_ANSWER: { capture: LOST_WITHOUT_ANSWER },
  CAPTURE_ONCE: { unsupported: ['multiple_captures'] },
  CAPTURE_WHOLE_ONLY: { unsupported: ['partial_capture'] },

  VOID_PENDING_THEN_SUCCESS: { void: later(APPROVED) },
  VOID_PENDING_THEN_FAILURE: { void: later(returned('void')) },
  VOID_DECLINE: { void: now(refused('void')) },
  VOID_UNSUPPORTED: { unsupported: ['void'] },

  DISPUTE_LOST: {
    dispute: {
      reason: 'The cardholder did not authorize the payment.',
      steps: [
        { after_ms: DAY_MS, status: 'OPEN', due_after_ms: 8 * DAY_MS },
        { after_ms: 8 * DAY_MS, status: 'LOST' },
      ],
    },
  },
  DISPUTE_WON: {
    dispute: {
      reason: 'The cardholder did not receive the goods.',
      steps: [
        { after_ms: DAY_MS, status: 'OPEN', due_after_ms: 5 * DAY_MS },
        { after_ms: 4 * DAY_MS, status: 'OPEN', due_after_ms: 8 * DAY_MS },
        { after_ms: 8 * DAY_MS, status: 'WON' },
      ],
    },
  },
} satisfies Record<string, Behavior>

/** The scenario of a method is fixed by its number, so that a test chooses the outcome. */
export type Scenario = keyof typeof BEHAVIORS

/** Scenarios that change from the second payment on, once the method is stored. */
const WHEN_STORED: Partial<Record<Scenario, Scenario>> = {
  CHALLENGE_UNTIL_STORED: 'APPROVE',
  DECLINE_WHEN_STORED: 'DECLINE',
  PENDING_THEN_FAILURE_WHEN_STORED: 'PENDING_THEN_FAILURE',
}

/** Returns the scenario of the token that is stored for a method with `scenario`. */
export function scenarioWhenStored(scenario: Scenario): Scenario {
  return WHEN_STORED[scenario] ?? scenario
}

const COURSES: Record<
  Exclude<OperationKind, 'SETUP'>,
  'take' | 'capture' | 'refund' | 'void' | undefined
> = {
  PAY: 'take',
  AUTHORISE: 'take',
  CAPTURE: 'capture',
  REFUND: 'refund',
  VOID: 'void',
  CANCEL: undefined,
}

/** Returns the behavior of a scenario; that of APPROVE for null, an unknown method. */
function behaviorOf(scenario: Scenario | null): Behavior {
  return BEHAVIORS[scenario ?? 'APPROVE']
}

export function operationSteps(kind: OperationKind, scenario: Scenario | null): Course {
  if (kind === 'SETUP') return setupSteps(behaviorOf(scenario).take)
  const operation = COURSES[kind]
  return (operation && behaviorOf(scenario)[operation]) ?? now(APPROVED)
}

/** A method is saved at once where its payment would wait, and once the payer has confirmed. */
function setupSteps(take: Course = now(APPROVED)): Course {
  if (take.first === 'LOST') return take
  if (take.first.state === 'PENDING') return now(APPROVED)
  return take.choice ? challenge(CHALLENGED) : take
}

/** Returns the capabilities that a payment lacks. */
export function unsupportedBy(scenario: Scenario | null): readonly PaymentCapability[] {
  return behaviorOf(scenario).unsupported ?? []
}

/** Returns undefined for a scenario without a dispute. */
export function disputeOf(scenario: Scenario | null): Dispute | undefined {
  return behaviorOf(scenario).dispute
}

export function stepAfterChoice(
  kind: OperationKind,
  scenario: Scenario | null,
  choice: Choice,
): Step {
  return operationSteps(kind, scenario).choice?.[choice] ?? notConfirmed
}

export function stepAfterWaiting(kind: OperationKind, scenario: Scenario | null): Step {
  return operationSteps(kind, scenario).end ?? APPROVED
}
