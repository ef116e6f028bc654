import { z } from 'zod'
import { instant, recordText } from './common.ts'

export const event = z
  .strictObject({
    id: recordText(
      'Event id; begins with `evt_`. It is the same at every delivery, and the header `webhook-id` carries it too.',
      'evt_1893499200000_1l2m3n4o5p6q7r8s',
    ),
    type: recordText(
      'Event type: the resource, a dot, and the change.',
      'payment_link.payment_success',
    ),
    created: instant.describe('When it happened.'),
    instance: recordText('Key of the instance.', 'default'),
    v: z.literal(1).describe('Version of this envelope.'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The record under its singular name, as it was at that moment, with relations as ids.',
      ),
  })
  .meta({ id: 'Event', description: 'A change of a record, as sent to webhooks.' })

export type Event = z.output<typeof event>

/** Also the body of a webhook. */
export const eventResponse = z.strictObject({ event })
