import { z } from 'zod'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { sessionMembers } from './actor-session.ts'
import {
  flag,
  flagOrNone,
  instant,
  instantOrNull,
  NO_CARD_NUMBER,
  recordMembers,
  recordText,
  recordTextOrNull,
  text,
  URL_MAX,
} from './common.ts'

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
  description: description.describe('Note of your own.'),
  enabled: flag.describe(
    'False sends nothing; events that happen meanwhile are not sent later, but can be replayed.',
  ),
}

export const createWebhookRequest = z
  .strictObject({
    instance_webhook: z
      .strictObject({
        ...writable,
        enabled: flagOrNone.describe('Whether deliveries are sent; true if omitted.'),
      })
      .describe('The new webhook.'),
  })
  .meta({ id: 'CreateInstanceWebhook', description: 'Body of a request that creates a webhook.' })

export type NewWebhook = z.output<typeof createWebhookRequest>['instance_webhook']

export const updateWebhookRequest = z
  .strictObject({
    instance_webhook: z
      .strictObject(writable)
      .partial()
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateInstanceWebhook', description: 'Body of a request that changes a webhook.' })

export type WebhookChange = z.output<typeof updateWebhookRequest>['instance_webhook']

export const rotateWebhook = z.strictObject({})

export const instanceWebhook = z
  .strictObject({
    id: recordText('Webhook id; begins with `wh_`.', 'wh_1893499200000_0k1l2m3n4o5p6q7r'),
    url: recordText('URL for deliveries.', 'https://shop.example/hooks/checkstand'),
    events: z
      .array(z.string())
      .meta({ description: 'Which events are sent.', example: ['payment_link.*'] }),
    enabled: flag.describe(
      'Whether events are sent. The server switches it off after five days of nothing but failures.',
    ),
    description: recordTextOrNull('Your own note; null if there is none.'),
    secret: z.string().optional().meta({
      description:
        'Key of the signatures: `whsec_` and base64. Present only in the response that creates the webhook or rotates its secret.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
    failing_since: instantOrNull.describe(
      'Since when every delivery has failed; null while deliveries succeed.',
    ),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'InstanceWebhook', description: 'An address of the merchant that is sent events.' })

export type InstanceWebhook = z.output<typeof instanceWebhook>

export const webhookResponse = z.strictObject({ instance_webhook: instanceWebhook })
export const delivery = z
  .strictObject({
    id: recordText('Delivery id; begins with `dlv_`.', 'dlv_1893499200000_2m3n4o5p6q7r8s9t'),
    event: recordText('Id of the event.', 'evt_1893499200000_1l2m3n4o5p6q7r8s'),
    type: recordText('Type of the event.', 'payment_link.payment_success'),
    instance_webhook: recordText('Id of the webhook.', 'wh_1893499200000_0k1l2m3n4o5p6q7r'),
    status: z
      .enum(['WAITING', 'DELIVERED', 'FAILED'])
      .describe(
        '`WAITING`: to be sent or retried. `DELIVERED`: the endpoint returned 2xx. `FAILED`: retries are exhausted.',
      ),
    attempts: z.int().describe('How often it has been sent so far. A replay begins again at 0.'),
    last_attempt: instantOrNull.describe('When it was last sent; null before the first time.'),
    next_attempt: instantOrNull.describe(
      'When it is sent next; null once it is delivered or given up.',
    ),
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
      .describe('Error of the last attempt; null if it succeeded.'),
    delivered: instantOrNull.describe('When the endpoint returned 2xx; null before.'),
    created: instant.describe('When the delivery was planned.'),
    updated: instant.describe('When the record last changed.'),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook.' })

export type Delivery = z.output<typeof delivery>

export const deliveryList = z.array(delivery).describe('The deliveries of this page of the list.')

export const testWebhook = z.strictObject({})

export const testResponse = z.strictObject({ delivery })

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
        from: instant.nullish().describe('Events created then or later.'),
        to: instant.nullish().describe('Events created then or earlier.'),
      })
      .refine((replay) => Object.values(replay).some((value) => value != null), {
        error: 'must name an event, a type, from or to',
      })
      .describe(
        'Which events to send again: all that fit every member given. At least one is needed.',
      ),
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
    .describe('The result of the request.'),
})
