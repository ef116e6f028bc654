import { z } from 'zod'

/** The two error bodies (specification: Errors). */

export const nestedError = z
  .strictObject({
    error: z
      .strictObject({
        type: z
          .string()
          .meta({ description: 'Kind of the error, for programs.', example: 'INVALID_REQUEST' }),
        message: z.string().meta({
          description:
            'What went wrong, for people: it names the member or parameter and the rule.',
          example: 'payment_link.expires must be in the future',
        }),
      })
      .meta({ description: 'What went wrong.' }),
  })
  .meta({ id: 'NestedError', description: 'Why a request was refused, or failed.' })

export const flatError = z
  .strictObject({
    code: z
      .string()
      .meta({ description: 'Kind of the error, for programs.', example: 'UNAUTHORIZED' }),
    message: z
      .string()
      .meta({ description: 'What went wrong, for people.', example: 'Unauthorized' }),
  })
  .meta({
    id: 'FlatError',
    description:
      'Why a request was refused, for strings and wherever the credentials are missing or wrong.',
  })

/** Error responses of every API route. */
export const commonErrors = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

/** Error responses that the header `Idempotency-Key` adds to a POST. */
export const idempotencyErrors = { 409: nestedError, 422: nestedError }
