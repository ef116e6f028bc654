/**
 * The one port of the product: what a payment processor must be able to do for us.
 *
 * Every operation carries a key of ours that the processor must treat as its idempotency key and
 * keep as its reference: the same key sent twice moves money once. A call that throws or times
 * out means UNKNOWN to the caller, never a decline (contract section 19).
 */

export interface MethodCapabilities {
  type: string
  /** The method can be kept for another payment. */
  storable: boolean
  /** The method can only be used by first storing a token. */
  token_first: boolean
  /** The outcome arrives later than the answer. */
  async: boolean
  /** The payer is sent to another page to confirm. */
  redirect: boolean
  /** Pages of the bank that the payer is sent to may be framed, as those of 3-D Secure are. */
  framed?: boolean
}

export interface Capabilities {
  /** ISO 4217 codes, or 'ANY'. */
  currencies: readonly string[] | 'ANY'
  methods: readonly MethodCapabilities[]
  /** Money can be given back through the processor; otherwise people do it by hand. */
  refund: boolean
  partial_refund: boolean
  multiple_refunds: boolean
  partial_capture: boolean
  multiple_captures: boolean
  void: boolean
  three_ds: boolean
  query: boolean
}

/** What a processor may be unable to do with one payment although it can with others. */
export type PaymentCapability =
  | 'refund'
  | 'partial_refund'
  | 'multiple_refunds'
  | 'partial_capture'
  | 'multiple_captures'
  | 'void'

/** What the payer pays with. `csc` passes through to the processor and is never kept. */
export type MethodToCharge =
  | { kind: 'NEW'; type: string; token?: string }
  | { kind: 'STORED'; type: string; token: string; csc?: string }

export interface TakeOperation {
  /** The instance that is paid, by its id: a processor with several merchants keeps them apart by it. */
  merchant: string
  /** Our idempotency key for this operation, and the reference to ask about it later. */
  operation: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
  method: MethodToCharge
  /** Keep the method for later, and answer with `stored`. */
  store: boolean
  /** Where the payer comes back to after a page of the bank. */
  return_url: string
}

export interface FollowUpOperation {
  operation: string
  /** The processor's reference of the payment, authorisation or capture that this follows. */
  reference: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
}

/** A method as people recognise it; never more than this of a card number. */
export interface MethodDetails {
  type: string
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  funding: string | null
  country: string | null
}

/** A method that the processor kept for us. */
export interface StoredMethod {
  token: string
  /** The same for the same card or account, so that duplicates can be recognised. */
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
      /** For an authorisation: until when it can be captured, date-time. */
      authorised_until?: string
      /**
       * Of a payment or authorization: what cannot be done with it, nor with what is captured of
       * it, such as a second capture where the card's network has none.
       */
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
      /** What it waits for, such as a person at the processor who reviews it. */
      message?: string
    }
  | { status: 'ACTION'; reference: string; url: string; method?: MethodDetails }
  /** The processor refused before anything reached the issuer: nothing was taken. */
  | { status: 'ERROR'; message: string }
  /** Nobody knows. It stays so until the processor can be asked. */
  | { status: 'UNKNOWN' }

/** What the processor knows about an operation key. */
export type QueryResponse = ProcessorResponse | { status: 'NOT_FOUND' }

/** Something that the processor tells by itself: an operation has a new state. */
export interface ProcessorNotice {
  operation: string
  answer: ProcessorResponse
}

/**
 * Money that was taken and that its owner or the owner's bank takes back, in its present state. What
 * it was before and in which order that is learnt does not matter.
 */
export interface ProcessorReversal {
  /** The processor's reference of the reversal, the same in every state. */
  reference: string
  /** The key of the payment or capture whose money it is. */
  operation: string
  type: 'DISPUTE'
  /** OPEN and LOST: the money is withdrawn. WON: it was given back. */
  status: 'OPEN' | 'WON' | 'LOST'
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** Why, in the processor's words; null where it says nothing. */
  reason: string | null
  /** Until when evidence can be given, date-time; null where that makes no sense any more. */
  due: string | null
  /** When it came to this state, date-time. */
  changed: string
}

export interface ReversalsResponse {
  /** All that changed at `since` or later, in any order. */
  reversals: readonly ProcessorReversal[]
  /** How long to wait before asking again. */
  check_after_ms: number
  /** When something is going to change, date-time, where a processor can know, as the sandbox does. */
  next_change?: string | null
}

export interface Processor {
  readonly name: string
  /** Moves no real money; offered by test instances alone, which in turn offer nothing else. */
  readonly test: boolean
  readonly capabilities: Capabilities
  /** Takes the money now. */
  pay(operation: TakeOperation): Promise<ProcessorResponse>
  /** Reserves the money; `capture` takes it. */
  authorise(operation: TakeOperation): Promise<ProcessorResponse>
  capture(operation: FollowUpOperation): Promise<ProcessorResponse>
  refund(operation: FollowUpOperation): Promise<ProcessorResponse>
  /** Gives back what an authorisation still reserves. */
  void(operation: FollowUpOperation): Promise<ProcessorResponse>
  /** The present state of an operation, asked by the key it was sent with. */
  query(operation: string): Promise<QueryResponse>
  /**
   * Makes sure that an operation which is not final never moves money, also when it arrives after
   * this call. Answers the operation's final or present state: APPROVED when it was too late.
   */
  cancel(operation: string): Promise<ProcessorResponse>
  /**
   * The reversals of one merchant's payments that changed at `since` or later, a date-time; all of
   * them where it is null. Missing in a processor that has none.
   */
  reversals?(asked: { merchant: string; since: string | null }): Promise<ReversalsResponse>
  /** Reads and verifies a notification of the processor; throws when it is not authentic. */
  parseNotice?(raw: string, headers: Headers): ProcessorNotice[]
}
