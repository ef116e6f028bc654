/** `meta` of a list. */
export interface ListMeta {
  limit: number
  offset: number
  /** How many records match. */
  total: number
  /** With `sum=amount`: what all of them come to, by currency; null when they are too many. */
  sums?: readonly { currency: string; count: number; amount: string }[] | null
}
