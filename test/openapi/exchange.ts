/** A request and its answer, as they were on the wire. */
export interface Exchange {
  method: string
  /** With the query. */
  path: string
  requestHeaders: Headers
  /** undefined for none, or for one that cannot be read again. */
  requestBody: string | undefined
  status: number
  headers: Headers
  text: string
}
