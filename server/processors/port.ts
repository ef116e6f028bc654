/**
 * What an adapter of a payment processor implements.
 *
 * Every operation carries a key of ours, which the processor must treat as idempotency key and keep as
 * its reference: the same key sent twice moves money once. A call that throws or times out means
 * UNKNOWN to the caller, never a decline.
 */

export interface MethodCapabilities {
  type: string
  /** The method can be saved for another payment. */
  storable: boolean
  /** The method must be saved before it can be charged. */
  token_first: boolean
  /** The outcome is known later than the response. */
  async: boolean
  /** The payer is sent to another page to confirm. */
  redirect: boolean
  /** The bank's pages may be shown in a frame, as those of 3-D Secure. */
  framed?: boolean
}

export interface Capabilities {
  /** ISO 4217 codes, or 'ANY'. */
  currencies: readonly string[] | 'ANY'
  methods: readonly MethodCapabilities[]
  /** False: refunds are made manually. */
  refund: boolean
  partial_refund: boolean
  multiple_refunds: boolean
  partial_capture: boolean
  multiple_captures: boolean
  void: boolean
  three_ds: boolean
  query: boolean
}

/** A capability that a single payment may lack. */
export type PaymentCapability =
  | 'refund'
  | 'partial_refund'
  | 'multiple_refunds'
  | 'partial_capture'
  | 'multiple_captures'
  | 'void'

/** `csc`, the security code, is passed to the processor and never stored (PCI DSS). */
export type MethodToCharge =
  | { kind: 'NEW'; type: string; token?: string }
  | { kind: 'STORED'; type: string; token: string; csc?: string }

export interface PaymentOperation {
  /** The id of the instance that is paid, by which a processor separates merchants. */
  merchant: string
  /** Our idempotency key, with which the operation can be queried later. */
  operation: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
  method: MethodToCharge
  /** Save the method and respond with `stored`. */
  store: boolean
  /** Where the bank's page returns the payer to. */
  return_url: string
}

export interface FollowUpOperation {
  operation: string
  /** The processor's reference of the payment, authorization or capture that this follows. */
  reference: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
}

/** What people recognize a method by; never more of a card number than `last4`. */
export interface MethodDetails {
  type: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  funding: string | null
  country: string | null
}

export interface StoredMethod {
  token: string
  /** The same for the same card or account, so that duplicates are recognized. */
  fingerprint: string
}

export type DeclineCode =
  | 'DECLINED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPIRED_CARD'
  | 'WRONG_SECURITY_CODE'
  | 'INVALID_METHOD'
  | 'AUTHENTICATION_FAILED'
  | 'CANCELLED'

export type ThreeDs = 'NONE' | 'FRICTIONLESS' | 'CHALLENGED' | 'FAILED'

export type ProcessorResponse =
  | {
      status: 'APPROVED'
      reference: string
      method?: MethodDetails
      stored?: StoredMethod
      three_ds?: ThreeDs
      /** For an authorization: until when it can be captured, date-time. */
      authorised_until?: string
      /** Capabilities that this payment or authorization and its captures lack. */
      unsupported?: readonly PaymentCapability[]
    }
  | {
      status: 'DECLINED'
      reference: string | null
      code: DeclineCode
      message: string
      method?: MethodDetails
      three_ds?: ThreeDs
    }
  | {
      status: 'PENDING'
      reference: string
      method?: MethodDetails
      check_after_ms: number
      /** The reason to wait, such as a manual review. */
      message?: string
    }
  | { status: 'ACTION'; reference: string; url: string; method?: MethodDetails }
  /** The processor refused before anything reached the issuer: no money has moved. */
  | { status: 'ERROR'; message: string }
  /** The outcome is unknown. The processor is queried until it is. */
  | { status: 'UNKNOWN' }

export type QueryResponse = ProcessorResponse | { status: 'NOT_FOUND' }

/** A notification from the processor that an operation has a new state. */
export interface ProcessorNotification {
  operation: string
  response: ProcessorResponse
}

/**
 * The present state of money that the payer or the payer's bank takes back. Earlier states and the
 * order of reports do not matter.
 */
export interface ProcessorReversal {
  /** The processor's reference of the reversal, the same in every state. */
  reference: string
  /** The key of the disputed payment or capture. */
  operation: string
  type: 'DISPUTE'
  /** OPEN and LOST: the money is withdrawn. WON: it was returned. */
  status: 'OPEN' | 'WON' | 'LOST'
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** The processor's text; null when there is none. */
  reason: string | null
  /** Deadline for evidence, date-time; null when evidence is no longer accepted. */
  due: string | null
  /** Start of this state, date-time. */
  changed: string
}

export interface ReversalsResponse {
  /** All that changed at or after `since`, in any order. */
  reversals: readonly ProcessorReversal[]
  /** When to read again. */
  check_after_ms: number
  /** The next change, date-time, where the processor reports it, as the sandbox does. */
  next_change?: string | null
}

export interface Processor {
  readonly name: string
  /** Moves no real money. TEST instances use such processors only, LIVE instances none. */
  readonly test: boolean
  readonly capabilities: Capabilities
  pay(operation: PaymentOperation): Promise<ProcessorResponse>
  /** Reserves the amount for `capture`. */
  authorize(operation: PaymentOperation): Promise<ProcessorResponse>
  capture(operation: FollowUpOperation): Promise<ProcessorResponse>
  refund(operation: FollowUpOperation): Promise<ProcessorResponse>
  /** Releases what an authorization still reserves. */
  void(operation: FollowUpOperation): Promise<ProcessorResponse>
  /** Returns the present state of the operation with this key. */
  query(operation: string): Promise<QueryResponse>
  /**
   * Ensures that an operation without a final state never moves money, even when it arrives after this
   * call. Returns its final or present state: APPROVED when the call came too late.
   */
  cancel(operation: string): Promise<ProcessorResponse>
  /**
   * Returns the reversals of a merchant's payments that changed at or after `since`, a date-time; all
   * of them when it is null. Missing in a processor without reversals.
   */
  reversals?(query: { merchant: string; since: string | null }): Promise<ReversalsResponse>
  /** Verifies and parses a notification. Throws when it is not authentic. */
  parseNotice?(raw: string, headers: Headers): ProcessorNotification[]
}
