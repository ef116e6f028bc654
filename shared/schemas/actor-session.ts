import { z } from 'zod'
import { instant, relation } from './common.ts'

/** Who did something, and from where (contract section 13). */
export const actorSession = z
  .strictObject({
    id: z.string().meta({
      description: 'Actor session id; begins with `ses_`.',
      example: 'ses_1893499200000_9j0k1l2m3n4o5p6q',
    }),
    type: z.enum(['API_KEY', 'OAUTH', 'USER', 'CHECKOUT', 'SYSTEM']).meta({
      description:
        'What identified the caller: a secret key (`API_KEY`), an OAuth token, a user with a password, the session of a payer (`CHECKOUT`), or the server itself (`SYSTEM`).',
    }),
    user: z
      .string()
      .nullable()
      .meta({ description: 'Id of the user, where one identified the caller; otherwise null.' }),
    client_id: z.string().nullable().meta({
      description: 'The OAuth client (platform) that acted; null where no token was used.',
    }),
    checkout: z.string().nullable().meta({
      description: 'The checkout session through which the payer acted; null for every other type.',
    }),
    ip: z.string().nullable().meta({
      description:
        'IP address of the caller; null for the server itself and where it is not known.',
    }),
    user_agent: z.string().nullable().meta({
      description:
        'The `User-Agent` header of the caller, shortened to 512 characters; null where none was sent.',
    }),
    created: instant.meta({
      description:
        'When the session was first seen. The same caller at the same address shares one session for a day (UTC).',
    }),
  })
  .meta({
    id: 'ActorSession',
    description:
      'Who acted through the API, the payment page or the server itself, and from where.',
  })

export type ActorSession = z.output<typeof actorSession>

/** Members of records that name the sessions of their first and last change. */
export const sessionMembers = {
  created_session: relation(actorSession).meta({
    description: 'Who created it, and from where. Expandable.',
  }),
  updated_session: relation(actorSession).meta({
    description: 'Who made the last change, and from where. Expandable.',
  }),
}
