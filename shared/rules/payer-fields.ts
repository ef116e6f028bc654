/** Which terms of a link the payer may change. */

export interface PayerFieldOptions {
  amount?: string | null
  default_amount?: string | null
  unit_amount?: string | null
  alt_key?: string | null
  default_alt_key?: string | null
  description?: string | null
  default_description?: string | null
  allow_description?: boolean | null
}

export interface PayerFields {
  amount: string | null
  amount_editable: boolean
  alt_key: string | null
  alt_key_editable: boolean
  /** The comment of the payment: fixed, or the default one. */
  description: string | null
  description_editable: boolean
  /** The comment is fixed, and the payer may add another one. */
  comment_allowed: boolean
}

/**
 * A fixed value has precedence over a default one. A reference is requested only if the merchant
 * set a default one, which may be empty; a default comment is editable only if comments are
 * allowed.
 */
export function payerFields(options: PayerFieldOptions): PayerFields {
  const fixedDescription = options.description ?? null
  const comments = options.allow_description === true
  return {
    amount: options.amount ?? options.default_amount ?? options.unit_amount ?? null,
    amount_editable: options.amount == null,
    alt_key: options.alt_key ?? (options.default_alt_key || null),
    alt_key_editable: options.alt_key == null && options.default_alt_key != null,
    description: fixedDescription ?? options.default_description ?? null,
    description_editable: fixedDescription === null && comments,
    comment_allowed: fixedDescription !== null && comments,
  }
}
