import { z } from 'zod'
import { holdsCardNumber } from '../rules/card-in-text.ts'
import { actorSession } from './actor-session.ts'
import { NO_CARD_NUMBER, URL_MAX, instant, recordMembers, relation, text } from './common.ts'

/** Where a merchant wants to be told of events, and how that went (contract section 16). */

const PATTERNS_MAX = 100

const description = text(1000).nullish()

/** The rules of its address depend on the instance's mode, and are not for a schema. */
const writable = {
  url: text(URL_MAX).meta({ format: 'uri', example: 'https://shop.example/hooks/checkstand' }),
  events: z
    .array(text(100))
    .min(1)
    .max(PATTERNS_MAX)
    .meta({
      description: 'Event types, all types of one kind, or *.',
      example: ['payment_link.*', 'refund.success'],
    }),
  description,
  enabled: z.boolean(),
}

export const createWebhook = z
  .strictObject({
    instance_webhook: z.strictObject({ ...writable, enabled: z.boolean().nullish() }),
  })
  .meta({ id: 'CreateInstanceWebhook' })

export type NewWebhook = z.output<typeof createWebhook>['instance_webhook']

export const updateWebhook = z
  .strictObject({ instance_webhook: z.strictObject(writable).partial() })
  .meta({ id: 'UpdateInstanceWebhook' })

export type WebhookChange = z.output<typeof updateWebhook>['instance_webhook']

export const rotateWebhook = z.strictObject({})

export const instanceWebhook = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    description: z.string().nullable(),
    secret: z.string().optional().meta({
      description: 'Only in the answer that made it: whsec_ and the base64 of the key.',
    }),
    failing_since: instant.nullable().meta({
      description: 'Since when nothing but failures came back; null while deliveries succeed.',
    }),
    created_session: relation(actorSession),
    updated_session: relation(actorSession),
    ...recordMembers,
  })
  .meta({ id: 'InstanceWebhook' })

export type InstanceWebhook = z.output<typeof instanceWebhook>

export const webhookAnswer = z.strictObject({ instance_webhook: instanceWebhook })
export const webhookList = z.array(instanceWebhook)

export const delivery = z
  .strictObject({
    id: z.string(),
    event: z.string(),
    type: z.string().meta({ description: 'Type of the event.' }),
    instance_webhook: z.string(),
    status: z.enum(['WAITING', 'DELIVERED', 'FAILED']),
    attempts: z.int().meta({ description: 'So far; a replay begins again at 0.' }),
    last_attempt: instant.nullable(),
    next_attempt: instant.nullable(),
    response_status: z.int().nullable().meta({ description: 'What the receiver answered last.' }),
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
      .meta({ description: 'Why the last attempt failed.' }),
    delivered: instant.nullable(),
    created: instant,
    updated: instant,
  })
  .meta({ id: 'Delivery' })

export type Delivery = z.output<typeof delivery>

export const deliveryList = z.array(delivery)

/** Whatever is asked for is looked up: what no event can be called is an event that is not there. */
const eventId = z
  .string()
  .max(255)
  .refine((id) => !holdsCardNumber(id), NO_CARD_NUMBER)

export const replayWebhook = z
  .strictObject({
    replay: z
      .strictObject({
        event: eventId.nullish().meta({ description: 'Id of one event.' }),
        type: text(100).nullish().meta({ description: 'A type, or a pattern as in events.' }),
        from: instant.nullish().meta({ description: 'Created then or later.' }),
        to: instant.nullish().meta({ description: 'Created then or earlier.' }),
      })
      .refine((replay) => Object.values(replay).some((value) => value != null), {
        error: 'must name an event, a type, from or to',
      }),
  })
  .meta({ id: 'ReplayInstanceWebhook' })

export type Replay = z.output<typeof replayWebhook>['replay']

export const replayAnswer = z.strictObject({
  replay: z.strictObject({
    deliveries: z.int().meta({ description: 'How many events are sent again.' }),
  }),
})
