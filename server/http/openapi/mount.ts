import type { z } from 'zod'
import type { Route } from '../router.ts'

/** Routes with their prefix and authentication. */
export interface Mount {
  prefix: string
  routes: readonly Route[]
  /** The API is mounted twice, for `basic` and for `bearer`, and described once. */
  security: 'basic' | 'bearer' | 'none'
}

/** An operation that no router serves, described by hand with all its statuses. */
export interface DescribedRoute extends Route {
  /** Fields of a body of the type `application/x-www-form-urlencoded`. */
  form?: z.ZodObject
  /** Alternatives, each as the names of its schemes. */
  security?: readonly string[][]
}

/** Who calls an operation, which determines its common responses. */
export type Audience = 'merchant' | 'payer' | 'described'
