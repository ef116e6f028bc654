import { z } from 'zod'
import { SECRET_KEY_ID } from '../rules/ids.ts'
import { SCOPES } from '../rules/scopes.ts'
import { actorSession } from './actor-session.ts'
import { instant, instantOrNull, recordText, recordTextOrNull, relation, text } from './common.ts'

const name = text(255).min(1)

const scope = z.enum(SCOPES as [string, ...string[]])

const expires = instant.nullish().meta({
  description:
    'When the key stops to work, in real time and in the future; null if never. To end a key at ' +
    'once, delete it.',
})

const allowedAddresses = z
  .array(text(64).min(1))
  .min(1)
  .max(50)
  .nullish()
  .meta({
    description:
      'Addresses and networks in CIDR notation, IPv4 or IPv6, from which alone the key works; null for ' +
      'all. Behind proxies, the address is that of the client.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })

export const createSecretKeyRequest = z
  .strictObject({
    secret_key: z
      .strictObject({
        name: name.nullish().meta({
          description: 'What you call it, such as the program that uses it.',
          example: 'Accounting',
        }),
        scopes: z
          .array(scope)
          .min(1)
          .max(SCOPES.length)
          .nullish()
          .meta({
            description:
              'What the key may do, in the terms of OAuth scopes; null for everything. You cannot ' +
              'permit more than you may do yourself.',
            example: ['payment_links:read', 'payment_links:write'],
          }),
        expires,
        allowed_addresses: allowedAddresses,
        replaces: z
          .string()
          .max(255)
          .regex(SECRET_KEY_ID, { error: 'must be an id that begins with key_' })
          .nullish()
          .meta({
            description:
              'Id of a key that the new one replaces. The new key has its name, scopes and addresses unless ' +
              'others are given; the former expires in 24 hours, or when it did before, if that is ' +
              'sooner.',
          }),
      })
      .describe('The new key.'),
  })
  .meta({ id: 'CreateSecretKey', description: 'Body of a request that creates a secret key.' })

export type NewSecretKey = z.output<typeof createSecretKeyRequest>['secret_key']

export const updateSecretKeyRequest = z
  .strictObject({
    secret_key: z
      .strictObject({
        name: name.nullish().meta({ description: 'What you call it.', example: 'Accounting' }),
        expires,
        allowed_addresses: allowedAddresses,
      })
      .describe('The members to change; others are kept.'),
  })
  .meta({ id: 'UpdateSecretKey', description: 'Body of a request that changes a secret key.' })

export type SecretKeyChange = z.output<typeof updateSecretKeyRequest>['secret_key']

export const secretKey = z
  .strictObject({
    id: recordText('Secret key id; begins with `key_`.', 'key_1893499200000_3n4o5p6q7r8s9t0u'),
    name: recordTextOrNull('What the merchant calls it; null if it has no name.', 'Accounting'),
    prefix: recordText('How the secret begins.', 'sk_test_default_Zm9vYmFy'),
    last4: recordText('How the secret ends; empty for a short one.', 'q7Xw'),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'What the key may do; null for everything.',
        example: ['payment_links:read', 'payment_links:write'],
      }),
    secret: z
      .string()
      .optional()
      .meta({
        description:
          'The secret: the user name of HTTP Basic. Present only in the response that creates the ' +
          'key; a repeated request with the same `Idempotency-Key` is answered without it.',
        example: 'sk_test_default_Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZnE3Xw',
      }),
    created: instant.describe('When the key was created.'),
    created_session: relation(actorSession).describe(
      'Who created it, and from where; null if the server did. Expandable.',
    ),
    last_used: instantOrNull.describe('When it was last used, to a minute; null if never.'),
    expires: instantOrNull.describe('When it stops to work, in real time; null if never.'),
    allowed_addresses: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'Networks from which alone the key works; null for all addresses.',
        example: ['203.0.113.0/24'],
      }),
    revoked: instantOrNull.describe('When it was revoked; null while it is not.'),
  })
  .meta({ id: 'SecretKey', description: 'A key of the API, without its secret.' })

export type SecretKey = z.output<typeof secretKey>

export const secretKeyResponse = z.strictObject({ secret_key: secretKey })
