/** `meta` of a list. */
export interface ListMeta {
  limit: number
  offset: number
  /** How many records match. */
  total: number
}
