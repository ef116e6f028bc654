/**
 * What an adapter of a payment processor implements.
 *
 * Every operation carries a key of ours, which the processor must treat as idempotency key and keep as
 * its reference: the same key sent twice moves money once. A call that throws or times out means
 * UNKNOWN to the caller, never a decline.
 */

/** Limits of an amount, in minor units of its currency. */
export interface AmountLimits {
  min?: number
  max?: number
  /** The amount must be a multiple of it. */
  step?: number
}

/** What a payer has to state for a method. */
export type PayerDetail = 'name' | 'email' | 'country'

export interface MethodCapabilities {
  type: string
  /** Narrows the currencies of the processor. */
  currencies?: readonly string[]
  /** By currency. */
  amounts?: Readonly<Record<string, AmountLimits>>
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
  /** An amount can be authorized and captured later. */
  authorize: boolean
  /** A saved method can be charged while the payer is away. */
  merchant_initiated: boolean
  /** Whose fields take the number: the page's own, the processor's in frames, or no fields at all. */
  fields: 'OWN' | 'FRAMES' | 'NONE'
  /** How the security code of a saved method arrives: as digits, as a token, or never. */
  csc: 'RAW' | 'TOKEN' | 'NONE'
  needs: readonly PayerDetail[]
  /** The form of the tokens that the processor's fields make; any form when it is missing. */
  token_form?: RegExp
  /**
   * What `cancel` can end. ALWAYS: every operation without a final state. ACTION_ONLY: all but one
   * that is PENDING. SOMETIMES: the response of `cancel` shows it.
   */
  cancel: 'ALWAYS' | 'ACTION_ONLY' | 'SOMETIMES'
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

/**
 * `csc`, the security code, and `csc_token`, which stands for it, are passed to the processor and never
 * stored (PCI DSS).
 */
export type MethodToCharge =
  | { kind: 'NEW'; type: string; token?: string }
  | { kind: 'STORED'; type: string; token: string; csc?: string; csc_token?: string }

/** What is known of the person who pays. */
export interface PayerOfOperation {
  /** Id of the account. */
  account: string | null
  /** Token of another method that the account has saved at this processor. */
  saved_token: string | null
  name: string | null
  email: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  ip: string | null
  user_agent: string | null
}

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
  /** MERCHANT: the payer is away and cannot confirm anything. */
  initiator: 'PAYER' | 'MERCHANT'
  payer: PayerOfOperation
  /** Our reference of the payment, which the payer may read on a statement. */
  payment_reference: string
  /** What the merchant sees in the processor's dashboard. */
  description: string
  /** After it is aborted, nothing more is sent to the processor. */
  signal: AbortSignal
}

export interface FollowUpOperation {
  operation: string
  /** The processor's reference of the payment, authorization or capture that this follows. */
  reference: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** After it is aborted, nothing more is sent to the processor. */
  signal: AbortSignal
}

/** An operation of a database that was restored, in which what the adapter noted of it may be missing. */
export interface LostOperation {
  kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID'
  /** When the operation was made, date-time. */
  created: string
  /** The processor's reference of the payment that a capture, refund or void follows, else null. */
  follows: string | null
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
  /** The method that is kept, where it differs from the one that paid. */
  method?: MethodDetails
}

/** What the processor keeps of a payment. Minor units of `currency`, the currency of the payout. */
export interface ProcessorFees {
  fee: number
  net: number
  currency: string
}

export type DeclineCode =
  | 'DECLINED'
  | 'INSUFFICIENT_FUNDS'
  | 'EXPIRED_CARD'
  | 'WRONG_SECURITY_CODE'
  | 'INVALID_METHOD'
  | 'AUTHENTICATION_FAILED'
  /** The bank wants the payer to confirm, who is away. */
  | 'AUTHENTICATION_REQUIRED'
  | 'CANCELLED'

/** Whether a declined method may be charged again: never, later, or only with the payer present. */
export type RetryAdvice = 'NEVER' | 'LATER' | 'WITH_PAYER'

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
      fees?: ProcessorFees
      /** The processor advises to look at the payment before goods are sent. */
      review?: boolean
      /** The card's bank bears the loss when the payer disputes the payment as fraud. */
      liability_shift?: boolean
    }
  | {
      status: 'DECLINED'
      reference: string | null
      code: DeclineCode
      message: string
      method?: MethodDetails
      three_ds?: ThreeDs
      retry?: RetryAdvice
    }
  | {
      status: 'PENDING'
      reference: string
      method?: MethodDetails
      check_after_ms: number
      /** The reason to wait, such as a manual review. */
      message?: string
    }
  | {
      status: 'ACTION'
      reference: string
      url: string
      method?: MethodDetails
      /** Until when the payer can confirm, date-time. */
      expires?: string
    }
  /** The processor refused before anything reached the issuer: no money has moved. */
  | { status: 'ERROR'; message: string }
  /** The outcome is unknown. The processor is queried until it is. */
  | { status: 'UNKNOWN' }

export type QueryResponse = ProcessorResponse | { status: 'NOT_FOUND' }

/** A notification from a processor. It says what to ask the processor about, and is never the truth. */
export interface ProcessorNotice {
  /** The processor's id of the notification, the same when it is sent again. */
  id: string
  /** Keys of operations whose state may have changed. */
  operations: readonly string[]
  /** `changes` has something new. */
  changes: boolean
}

/** Thrown by `parseNotice` for a notification that the processor did not send. */
export class NotAuthentic extends Error {}

/**
 * The present state of money that comes back after a payment or leaves again after a refund. Earlier
 * states and the order of reports do not matter.
 */
export interface ProcessorReversal {
  /** The processor's reference of the reversal, the same in every state. */
  reference: string
  /** The key of the payment or capture; of the failed refund for REFUND_FAILED. */
  operation: string
  /**
   * DISPUTE: the payer contests the payment. RETURN: the bank returned a debit, which is always LOST.
   * EXTERNAL_REFUND: the merchant refunded it at the processor. REFUND_FAILED: a refund that was
   * approved did not arrive, which is always WON.
   */
  type: 'DISPUTE' | 'RETURN' | 'EXTERNAL_REFUND' | 'REFUND_FAILED'
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

/** What the processor kept of a payment or capture. */
export interface OperationFees extends ProcessorFees {
  /** The key of the payment or capture. */
  operation: string
}

export interface ChangesResponse {
  /** All that changed at or after `since`, in any order. */
  reversals: readonly ProcessorReversal[]
  /** Those that became known. */
  fees?: readonly OperationFees[]
  /** When to read again. */
  check_after_ms: number
  /** Everything that changed before it has been reported, date-time. The next read begins there. */
  read_until?: string
  /** The next change, date-time, where the processor reports it, as the sandbox does. */
  next_change?: string | null
}

/** What the payer's page needs for the fields of a processor. */
export interface PageFields {
  name: string
  publishable_key: string
  /** The processor's account that is paid, where it is not that of the key. */
  account?: string
  /** URL of the processor's script. */
  script: string
  /** Sources that the page's content security policy allows, by directive. */
  policy: Readonly<Partial<Record<'script-src' | 'connect-src' | 'frame-src', readonly string[]>>>
}

export interface Processor {
  /** Id of the connection, or the name of a processor that is built in. */
  readonly id: string
  readonly name: string
  /** Moves no real money. TEST instances use such processors only, LIVE instances none. */
  readonly test: boolean
  readonly capabilities: Capabilities
  /** Money that arrives after a decline is refunded. */
  readonly refund_late?: boolean
  /** Missing where the page's own fields serve every method. */
  readonly page?: PageFields
  pay(operation: PaymentOperation): Promise<ProcessorResponse>
  /** Reserves the amount for `capture`. */
  authorize(operation: PaymentOperation): Promise<ProcessorResponse>
  capture(operation: FollowUpOperation): Promise<ProcessorResponse>
  refund(operation: FollowUpOperation): Promise<ProcessorResponse>
  /** Releases what an authorization still reserves. */
  void(operation: FollowUpOperation): Promise<ProcessorResponse>
  /**
   * Returns the present state of the operation with this key. `lost` is passed when the database was
   * restored, so that the processor's reference may be missing.
   */
  query(operation: string, lost?: LostOperation): Promise<QueryResponse>
  /**
   * Ensures that an operation without a final state never moves money, even when it arrives after this
   * call. Returns its final or present state: APPROVED when the call came too late; ACTION or PENDING
   * when it cannot be ended (`MethodCapabilities.cancel`).
   */
  cancel(operation: string): Promise<ProcessorResponse>
  /**
   * Returns what changed at or after `since`, a date-time, after operations of a merchant were final;
   * all of it when `since` is null. Missing in a processor without such changes.
   */
  changes?(query: { merchant: string; since: string | null }): Promise<ChangesResponse>
  /** Removes a saved method at the processor. Does nothing for a token that is unknown there. */
  forget?(token: string): Promise<void>
  /** Verifies and parses a notification. Throws NotAuthentic. `now` is epoch milliseconds. */
  parseNotice?(body: Uint8Array, headers: Headers, now: number): Promise<ProcessorNotice>
}
