import { z } from 'zod'
import { actorSession } from './actor-session.ts'
import { instant, relation, text } from './common.ts'
import { stringScope } from './string-override.ts'

/** The maximum number of acknowledgements of a request. */
export const ACKS_MAX = 5000

/** `hashText` of what was seen. */
const STALE_HASH = /^[\w-]{22}$/

export const updateStringAcksRequest = z
  .strictObject({
    string_acks: z
      .array(
        z
          .strictObject({
            id: text(255).meta({
              description: 'String id: its set, a dot, and its name.',
              example: 'checkout.pay',
            }),
            language: text(64).nullish().meta({
              description:
                'Language: two letters, or `default` for the base strings; `default` if omitted.',
              example: 'fr',
            }),
            branding: text(64).nullish().meta({
              description: 'Key of the branding. Left out, for the instance itself.',
            }),
            stale_hash: z
              .string()
              .regex(STALE_HASH, { error: 'must be the stale_hash of a string' })
              .meta({
                description: 'The `stale_hash` of the string as it was seen.',
                example: 'Zx3kq0mB1nV7c2LdW9aQeT',
              }),
          })
          .meta({ description: 'A string that is still right.' }),
      )
      .min(1)
      .max(ACKS_MAX)
      .describe('The strings; each once.'),
  })
  .meta({
    id: 'UpdateStringAcks',
    description: 'Body of a request that finds stale strings right.',
  })

const stillStale = z
  .boolean()
  .describe('True if the string is still stale, because it has changed since it was seen.')

export const stringAck = z
  .strictObject({
    ...stringScope,
    stale: stillStale,
    created: instant.describe('When the string was last found right.'),
    created_session: relation(actorSession).describe(
      'Who found it right, and from where. Expandable.',
    ),
  })
  .meta({ id: 'StringAck', description: 'A stale string that was found right.' })

export type StringAckRecord = z.output<typeof stringAck>

export const stringAcksResponse = z.strictObject({
  string_acks: z
    .array(
      z
        .strictObject({ ...stringScope, stale: stillStale })
        .meta({ description: 'A string that was found right.' }),
    )
    .describe('The strings, in the order of the request.'),
})
