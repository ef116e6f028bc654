import { z } from 'zod'

/** The two error bodies (specification: Errors). */

export const nestedError = z
  .strictObject({
    error: z.strictObject({
      type: z.string().meta({ example: 'INVALID_REQUEST' }),
      message: z.string().meta({ example: 'payment_link.expires must be in the future' }),
    }),
  })
  .meta({ id: 'NestedError' })

export const flatError = z
  .strictObject({
    code: z.string().meta({ example: 'UNAUTHORIZED' }),
    message: z.string().meta({ example: 'Unauthorised' }),
  })
  .meta({ id: 'FlatError' })

/** What the header `Idempotency-Key` can add to the answers of a POST (contract section 17). */
export const repeatFailures = { 409: nestedError, 422: nestedError }
