import { z } from 'zod'
import { instant } from './common.ts'

export const event = z
  .strictObject({
    id: z.string().meta({
      description:
        'Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.',
      example: 'evt_1893499200000_1l2m3n4o5p6q7r8s',
    }),
    type: z.string().meta({
      description: 'Event type: the resource, a dot, and the change.',
      example: 'payment_link.payment_success',
    }),
    created: instant.meta({ description: 'When it happened.' }),
    instance: z.string().meta({ description: 'Key of the instance.', example: 'default' }),
    v: z.literal(1).meta({ description: 'Version of this envelope.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The record under its singular name, as it was at that moment, with relations as ids.',
    }),
  })
  .meta({ id: 'Event', description: 'A change of a record, as sent to webhooks.' })

export type Event = z.output<typeof event>

/** Also the body of a webhook. */
export const eventResponse = z.strictObject({ event })
