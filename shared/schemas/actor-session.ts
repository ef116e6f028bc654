import { z } from 'zod'
import { instant, recordText, recordTextOrNull, relation } from './common.ts'

export const actorSession = z
  .strictObject({
    id: recordText('Actor session id; begins with `ses_`.', 'ses_1893499200000_9j0k1l2m3n4o5p6q'),
    type: z
      .enum(['API_KEY', 'OAUTH', 'USER', 'CHECKOUT', 'SYSTEM'])
      .describe(
        'How the caller was identified: secret key (`API_KEY`), OAuth token (`OAUTH`), user with a password (`USER`), checkout session (`CHECKOUT`), or the server itself (`SYSTEM`).',
      ),
    user: recordTextOrNull('Id of the user; null if the caller was not a user.'),
    client_id: recordTextOrNull('The OAuth client (platform); null if no token was used.'),
    checkout: recordTextOrNull(
      'The checkout session through which the payer acted; null for every other type.',
    ),
    ip: recordTextOrNull('IP address of the caller; null for the server itself and if unknown.'),
    user_agent: recordTextOrNull(
      'The `User-Agent` header of the caller, shortened to 512 characters; null if none was sent.',
    ),
    created: instant.describe(
      'When the session was first seen. The same caller at the same address shares one session for a day (UTC).',
    ),
  })
  .meta({
    id: 'ActorSession',
    description: 'Who acted (API, payment page or server) and from where.',
  })

export type ActorSession = z.output<typeof actorSession>

/** Members of records that name the sessions of their first and last change. */
export const sessionMembers = {
  created_session: relation(actorSession).describe('Who created it, and from where. Expandable.'),
  updated_session: relation(actorSession).describe(
    'Who made the last change, and from where. Expandable.',
  ),
}
