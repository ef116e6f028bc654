/** What a processor is asked to do, and what it answers. */

import type { PaymentCapability } from './capabilities.ts'

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
  /** What statements show, by the legal entity; null if the account at the processor decides. */
  statement_descriptor: string | null
  /** What the merchant sees in the processor's dashboard. */
  description: string
  /** After it is aborted, nothing more is sent to the processor. */
  signal: AbortSignal
}

/** Saves a new method without taking money. */
export interface SetupOperation extends Omit<
  PaymentOperation,
  'amount' | 'currency' | 'store' | 'initiator' | 'statement_descriptor'
> {
  method: Extract<MethodToCharge, { kind: 'NEW' }>
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
