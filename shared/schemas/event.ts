import { z } from 'zod'
import { instant } from './common.ts'

/** Events: what happened, as webhooks carry it and `/events` answers it (contract section 16). */

export const event = z
  .strictObject({
    id: z.string().meta({ description: 'The same at every delivery, also as webhook-id.' }),
    type: z.string().meta({ example: 'payment_link.payment_success' }),
    created: instant,
    instance: z.string().meta({ description: 'Key of the instance.', example: 'default' }),
    v: z.literal(1).meta({ description: 'Version of this envelope.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The record under its singular name, as it was then; ids are not expanded.',
    }),
  })
  .meta({ id: 'Event' })

export type Event = z.output<typeof event>

/** Also the whole body of a webhook. */
export const eventAnswer = z.strictObject({ event })
export const eventList = z.array(event)
