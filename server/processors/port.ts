import type { Capabilities } from './capabilities.ts'
import type { ChangesResponse } from './changes.ts'
import type {
  FollowUpOperation,
  LostOperation,
  PaymentOperation,
  ProcessorResponse,
  QueryResponse,
  SetupOperation,
} from './operation.ts'

export type * from './capabilities.ts'
export type * from './changes.ts'
export type * from './operation.ts'

/**
 * What an adapter of a payment processor implements.
 *
 * Every operation carries a key of ours, which the processor must treat as idempotency key and keep as
 * its reference: the same key sent twice moves money once. A call that throws or times out means
 * UNKNOWN to the caller, never a decline.
 */

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
  /**
   * Saves a method without taking money, for the methods that declare `setup`. An approval has `stored`.
   * Missing where no method does.
   */
  setup?(operation: SetupOperation): Promise<ProcessorResponse>
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
  /**
   * Cancels at the processor what operations have left there that were canceled here before they began.
   * No money depends on it. Returns how many.
   */
  cancelOrphans?(): Promise<number>
  /**
   * Returns where a new method was issued, ISO 3166-1 alpha-2, by its token; null if that is not known. It
   * moves no money. Missing where the processor tells it with a payment alone.
   */
  countryOf?(token: string): Promise<string | null>
  /** Removes a saved method at the processor. Does nothing for a token that is unknown there. */
  forget?(token: string): Promise<void>
  /** Verifies and parses a notification. Throws NotAuthentic. `now` is epoch milliseconds. */
  parseNotice?(body: Uint8Array, headers: Headers, now: number): Promise<ProcessorNotice>
}
