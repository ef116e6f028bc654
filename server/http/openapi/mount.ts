import type { z } from 'zod'
import type { Route } from '../router.ts'

/** One place where routes are reachable: a prefix, and how callers identify themselves there. */
export interface Mount {
  prefix: string
  routes: readonly Route[]
  /** The merchant's API is mounted twice, for `basic` and for `bearer`; it is described once. */
  security: 'basic' | 'bearer' | 'none'
}

/** An operation that no router serves, described by hand with every status that it can answer. */
export interface DescribedRoute extends Route {
  /** Fields of a body of the type `application/x-www-form-urlencoded`. */
  form?: z.ZodObject
  /** How callers identify themselves; each alternative by the names of its schemes. */
  security?: readonly string[][]
}

/** Who answers an operation, which decides what else it may answer than its route says. */
export type Audience = 'merchant' | 'payer' | 'described'
