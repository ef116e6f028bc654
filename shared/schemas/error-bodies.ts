import { z } from 'zod'
import { recordText } from './common.ts'

/** The two error bodies. */

export const nestedError = z
  .strictObject({
    error: z
      .strictObject({
        type: recordText('Error type, for programs.', 'INVALID_REQUEST'),
        message: recordText(
          'Message for developers: the member or parameter and the rule.',
          'payment_link.expires must be in the future',
        ),
      })
      .describe('The error.'),
  })
  .meta({ id: 'NestedError', description: 'Error of a request.' })

export const flatError = z
  .strictObject({
    code: recordText('Error type, for programs.', 'UNAUTHORIZED'),
    message: recordText('Message for developers.', 'Unauthorized'),
  })
  .meta({
    id: 'FlatError',
    description: 'Error of a request to strings, or of a request without valid credentials.',
  })

/** Error responses of every API route. */
export const commonErrors = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

/** Error responses that the header `Idempotency-Key` adds to a POST. */
export const idempotencyErrors = { 409: nestedError, 422: nestedError }
