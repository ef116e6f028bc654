/** What a processor and its methods can do, as an adapter declares it. */

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
  /** The method can be saved without a payment. */
  setup?: boolean
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
  /** A new method is charged only where the payer allows it in their browser. */
  mandate?: boolean
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
