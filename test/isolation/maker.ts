import type { Call, Merchant, TestApp } from '../app.ts'
import type { Json } from '../payments-client.ts'
import type { Keys } from './names.ts'

/** A merchant who is given data, and the means to do so. */
export interface Maker {
  app: TestApp
  merchant: Merchant
  keys: Keys
  /** A text with the tenant's mark. */
  text: (what: string) => string
  /** Calls the merchant's API, which must answer 200. */
  post: (path: string, body: unknown, call?: Call) => Promise<Json>
}
