import { z } from 'zod'

/** The two error bodies. */

export const nestedError = z
  .strictObject({
    error: z
      .strictObject({
        type: z
          .string()
          .meta({ description: 'Error type, for programs.', example: 'INVALID_REQUEST' }),
        message: z.string().meta({
          description: 'Message for developers: the member or parameter and the rule.',
          example: 'payment_link.expires must be in the future',
        }),
      })
      .meta({ description: 'The error.' }),
  })
  .meta({ id: 'NestedError', description: 'Error of a request.' })

export const flatError = z
  .strictObject({
    code: z.string().meta({ description: 'Error type, for programs.', example: 'UNAUTHORIZED' }),
    message: z.string().meta({ description: 'Message for developers.', example: 'Unauthorized' }),
  })
  .meta({
    id: 'FlatError',
    description: 'Error of a request to strings, or of a request without valid credentials.',
  })

/** Error responses of every API route. */
export const commonErrors = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

/** Error responses that the header `Idempotency-Key` adds to a POST. */
export const idempotencyErrors = { 409: nestedError, 422: nestedError }
