/** Headers of responses. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Id of this request, as the log of the server names it.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Idempotent-Replayed': {
    description:
      'Present when the response repeats that of an earlier request with the same ' +
      'Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
  Allow: {
    description: 'The methods of this path, separated by commas.',
    schema: { type: 'string' },
    required: true,
  },
  Location: {
    description: 'The redirect target.',
    schema: { type: 'string' },
    required: true,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate at this address.',
    schema: { type: 'string' },
  },
  'Checkstand-Work': {
    description:
      'Work that a browser has to do before the next try, after many declined cards: a challenge ' +
      'and a number of zero bits. The result is sent as proof.',
    schema: { type: 'string' },
  },
} as const

export type HeaderName = keyof typeof HEADERS
