import { z } from 'zod'
import { ROLES } from '../rules/roles.ts'
import { email, flag, instant, instantOrNull, recordText, text } from './common.ts'

const role = z.enum(ROLES, { error: `must be ${ROLES.join(', ')}` }).meta({
  description:
    '`OWNER`: everything. `DEVELOPER`: settings, keys and webhooks, and money in test instances. ' +
    '`SUPPORT`: links, customers and refunds. `EDITOR`: strings and brandings. `VIEWER`: reads.',
  example: 'EDITOR',
})

const name = text(255).min(1).nullable().meta({
  description: 'What others call this person; null if there is none.',
  example: 'Ada Lovelace',
})

const instances = z
  .array(text(255).min(1))
  .min(1)
  .max(200)
  .nullable()
  .meta({
    description: 'Keys of the instances that the user can open; null for all of the merchant.',
    example: ['default'],
  })

const languages = z
  .array(
    z.string().regex(/^([a-z]{2}|default)$/, { error: 'must be a two-letter code or default' }),
  )
  .min(1)
  .max(200)
  .nullable()
  .meta({
    description:
      'Languages whose strings an editor can write, as two-letter codes or `default` for the base ' +
      'strings; null for all. Only editors have them: another role clears them.',
    example: ['fr'],
  })

export const createUserRequest = z
  .strictObject({
    user: z
      .strictObject({
        email: email.describe('Address by which the user signs in. It cannot be changed.'),
        name: name.optional(),
        role,
        instances: instances.optional(),
        languages: languages.optional(),
      })
      .describe('The new user.'),
  })
  .meta({ id: 'CreateUser', description: 'Body of a request that invites a user.' })

export type NewUser = z.output<typeof createUserRequest>['user']

export const updateUserRequest = z
  .strictObject({
    user: z
      .strictObject({
        name,
        role,
        instances,
        languages,
        disabled: flag.describe('Whether the user is kept from signing in.'),
      })
      .partial()
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateUser', description: 'Body of a request that changes a user.' })

export type UserChange = z.output<typeof updateUserRequest>['user']

/** An invitation says nothing; the server writes it. */
export const sendInvitationRequest = z.strictObject({})

export const user = z
  .strictObject({
    id: recordText('User id; begins with `usr_`.', 'usr_1893499200000_6g7h8i9j0k1l2m3n'),
    email: recordText('Address by which the user signs in.', 'ada@shop.example'),
    name,
    role,
    instances,
    languages,
    factors: z
      .array(z.enum(['PASSKEY', 'TOTP']))
      .meta({ description: 'The second factors that the user has.', example: ['TOTP'] }),
    invitation: z
      .strictObject({
        expires: instant.describe('When the link stops to work.'),
        url: z
          .string()
          .optional()
          .meta({
            description:
              'The one-time link, if the server sends no mail. Present only in the response that makes ' +
              'it; a repeated request with the same `Idempotency-Key` is answered without it.',
            example: 'https://pay.example.com/sign-in/invitation/iv_Zm9vYmFyYmF6cXV4',
          }),
      })
      .nullable()
      .describe('The link that is open for the user to choose a password; null if there is none.'),
    last_seen: instantOrNull.describe(
      'When the user last used the console, to a minute; null if never.',
    ),
    disabled: flag.describe('Whether the user is kept from signing in.'),
    created: instant.describe('When the user was created.'),
    v: z.int().meta({ description: 'Version, for `If-Match`.', example: 1 }),
  })
  .meta({ id: 'User', description: 'A person who works for the merchant.' })

export type UserRecord = z.output<typeof user>

export const userResponse = z.strictObject({ user })
