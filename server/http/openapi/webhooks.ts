import type { z } from 'zod'
import type { ConvertedSchemas } from './schemas.ts'

/** An event type and the body of its webhook. */
export interface DescribedEvent {
  type: string
  description: string
  body: z.ZodType
}

const SIGNATURE_HEADERS = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event. It is the same at every delivery, so it identifies repeats.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970. An old one may be a replay.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures, separated by spaces: v1, a comma, and the base64 of the HMAC-SHA256 ' +
      'of webhook-id, webhook-timestamp and the body, joined by dots. The key is the base64 after ' +
      'whsec_ of the secret. After a rotation there is one signature for each secret.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  },
]

/** Returns the `webhooks` of the document. */
export function describeWebhooks(
  events: readonly DescribedEvent[],
  schemas: ConvertedSchemas,
): Record<string, object> {
  return Object.fromEntries(
    events.map(({ type, description, body }) => [
      type,
      {
        post: {
          operationId: `receive_${type.replaceAll('.', '_')}`,
          tags: ['events'],
          summary: type,
          description,
          security: [],
          parameters: SIGNATURE_HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.response(body) } },
          },
          responses: {
            '2XX': { description: 'The event was received. The response body is ignored.' },
            410: { description: 'The address is gone: the webhook is disabled at once.' },
            default: { description: 'The event is sent again later.' },
          },
        },
      },
    ]),
  )
}
