import { z } from 'zod'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { sessionMembers } from './actor-session.ts'
import { NO_CARD_NUMBER, URL_MAX, instant, recordMembers, text } from './common.ts'

const PATTERNS_MAX = 100

const description = text(1000).nullish()

/** The rules for the URL depend on the mode of the instance. */
const writable = {
  url: text(URL_MAX).meta({
    format: 'uri',
    description:
      'URL for deliveries: `https` with a public address; on test instances also `http` to localhost if the server allows it.',
    example: 'https://shop.example/hooks/checkstand',
  }),
  events: z
    .array(text(100))
    .min(1)
    .max(PATTERNS_MAX)
    .meta({
      description: 'Event types, all types of one kind (`refund.*`), or everything (`*`).',
      example: ['payment_link.*', 'refund.success'],
    }),
  description: description.meta({ description: 'Note of your own.' }),
  enabled: z.boolean().meta({
    description:
      'False sends nothing; events that happen meanwhile are not sent later, but can be replayed.',
  }),
}

export const createWebhookRequest = z
  .strictObject({
    instance_webhook: z
      .strictObject({
        ...writable,
        enabled: z.boolean().nullish().meta({
          description: 'Whether deliveries are sent; true if omitted.',
        }),
      })
      .meta({ description: 'The new webhook.' }),
  })
  .meta({ id: 'CreateInstanceWebhook', description: 'Body of a request that creates a webhook.' })

export type NewWebhook = z.output<typeof createWebhookRequest>['instance_webhook']

export const updateWebhookRequest = z
  .strictObject({
    instance_webhook: z
      .strictObject(writable)
      .partial()
      .meta({ description: 'The members to change; others are kept.' }),
  })
  .meta({ id: 'UpdateInstanceWebhook', description: 'Body of a request that changes a webhook.' })

export type WebhookChange = z.output<typeof updateWebhookRequest>['instance_webhook']

export const rotateWebhook = z.strictObject({})

export const instanceWebhook = z
  .strictObject({
    id: z.string().meta({
      description: 'Webhook id; begins with `wh_`.',
      example: 'wh_1893499200000_0k1l2m3n4o5p6q7r',
    }),
    url: z.string().meta({
      description: 'URL for deliveries.',
      example: 'https://shop.example/hooks/checkstand',
    }),
    events: z
      .array(z.string())
      .meta({ description: 'Which events are sent.', example: ['payment_link.*'] }),
    enabled: z.boolean().meta({
      description:
        'Whether events are sent. The server switches it off after five days of nothing but failures.',
    }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Your own note; null if there is none.' }),
    secret: z.string().optional().meta({
      description:
        'Key of the signatures: `whsec_` and base64. Present only in the response that creates the webhook or rotates its secret.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
    failing_since: instant.nullable().meta({
      description: 'Since when every delivery has failed; null while deliveries succeed.',
    }),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'InstanceWebhook', description: 'An address of the merchant that is sent events.' })

export type InstanceWebhook = z.output<typeof instanceWebhook>

export const webhookResponse = z.strictObject({ instance_webhook: instanceWebhook })
export const delivery = z
  .strictObject({
    id: z.string().meta({
      description: 'Delivery id; begins with `dlv_`.',
      example: 'dlv_1893499200000_2m3n4o5p6q7r8s9t',
    }),
    event: z
      .string()
      .meta({ description: 'Id of the event.', example: 'evt_1893499200000_1l2m3n4o5p6q7r8s' }),
    type: z
      .string()
      .meta({ description: 'Type of the event.', example: 'payment_link.payment_success' }),
    instance_webhook: z
      .string()
      .meta({ description: 'Id of the webhook.', example: 'wh_1893499200000_0k1l2m3n4o5p6q7r' }),
    status: z.enum(['WAITING', 'DELIVERED', 'FAILED']).meta({
      description:
        '`WAITING`: to be sent or retried. `DELIVERED`: the endpoint returned 2xx. `FAILED`: retries are exhausted.',
    }),
    attempts: z
      .int()
      .meta({ description: 'How often it has been sent so far. A replay begins again at 0.' }),
    last_attempt: instant
      .nullable()
      .meta({ description: 'When it was last sent; null before the first time.' }),
    next_attempt: instant
      .nullable()
      .meta({ description: 'When it is sent next; null once it is delivered or given up.' }),
    response_status: z.int().nullable().meta({
      description: 'HTTP status of the last response; null if there was none.',
      example: 200,
    }),
    error: z
      .enum([
        'ADDRESS_REFUSED',
        'BAD_STATUS',
        'CONNECTION_FAILED',
        'DNS_FAILED',
        'REDIRECT',
        'TIMEOUT',
        'TLS_FAILED',
      ])
      .nullable()
      .meta({ description: 'Error of the last attempt; null if it succeeded.' }),
    delivered: instant
      .nullable()
      .meta({ description: 'When the endpoint returned 2xx; null before.' }),
    created: instant.meta({ description: 'When the delivery was planned.' }),
    updated: instant.meta({ description: 'When the record last changed.' }),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook.' })

export type Delivery = z.output<typeof delivery>

export const deliveryList = z
  .array(delivery)
  .meta({ description: 'The deliveries of this page of the list.' })

/** Any text is looked up; an invalid id is an event that does not exist. */
const eventId = z
  .string()
  .max(255)
  .refine((id) => !containsCardNumber(id), NO_CARD_NUMBER)

export const replayWebhook = z
  .strictObject({
    replay: z
      .strictObject({
        event: eventId
          .nullish()
          .meta({ description: 'Id of one event.', example: 'evt_1893499200000_1l2m3n4o5p6q7r8s' }),
        type: text(100)
          .nullish()
          .meta({ description: 'A type, or a pattern as in `events`.', example: 'payment_link.*' }),
        from: instant.nullish().meta({ description: 'Events created then or later.' }),
        to: instant.nullish().meta({ description: 'Events created then or earlier.' }),
      })
      .refine((replay) => Object.values(replay).some((value) => value != null), {
        error: 'must name an event, a type, from or to',
      })
      .meta({
        description:
          'Which events to send again: all that fit every member given. At least one is needed.',
      }),
  })
  .meta({
    id: 'ReplayInstanceWebhook',
    description: 'Body of a request that sends events to a webhook again.',
  })

export type Replay = z.output<typeof replayWebhook>['replay']

export const replayResponse = z.strictObject({
  replay: z
    .strictObject({
      deliveries: z.int().meta({ description: 'How many events are sent again.', example: 17 }),
    })
    .meta({ description: 'The result of the request.' }),
})
