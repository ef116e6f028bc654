import { z } from 'zod'
import { flag, instant, instantOrNull, recordText, recordTextOrNull } from './common.ts'

export const userSession = z
  .strictObject({
    id: recordText('Session id; begins with `uss_`.', 'uss_1893499200000_7h8i9j0k1l2m3n4o'),
    user: recordText('Id of the user.', 'usr_1893499200000_6g7h8i9j0k1l2m3n'),
    current: flag.describe('Whether this request belongs to the session.'),
    factors: z
      .array(z.enum(['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY']))
      .meta({ description: 'What the user has proved in it.', example: ['PASSWORD', 'TOTP'] }),
    ip: recordTextOrNull('Network address at the sign-in; null after thirty days.', '203.0.113.7'),
    user_agent: recordTextOrNull('Browser at the sign-in; null if it told none.'),
    created: instant.describe('When the user signed in.'),
    last_seen: instantOrNull.describe('The last request, to a minute.'),
    expires: instant.describe('When it ends at the latest. It ends earlier when it is not used.'),
  })
  .meta({ id: 'UserSession', description: 'A browser in which a user is signed in.' })

export type UserSessionRecord = z.output<typeof userSession>

export const userSessionResponse = z.strictObject({ user_session: userSession })
