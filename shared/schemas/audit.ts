import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_ACTORS } from '../rules/audit-actions.ts'
import { instant } from './common.ts'

const detailValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string()).readonly(),
])

export type AuditDetail = Readonly<Record<string, z.output<typeof detailValue>>>

export const auditEntry = z
  .strictObject({
    id: z.string().meta({
      description: 'Id of the entry; begins with `aud_`.',
      example: 'aud_1893499200000_3n4o5p6q7r8s9t0u',
    }),
    at: instant.describe('When it was done.'),
    actor: z
      .strictObject({
        type: z.enum(AUDIT_ACTORS).meta({
          description:
            'Whether a user did it, a secret key, a platform with a token, or an operator on the ' +
            'command line. `ANONYMOUS` is a person who has not proved who they are.',
        }),
        id: z
          .string()
          .nullable()
          .meta({
            description:
              'Id of the user, the secret key or the platform; null for the command line and for ' +
              'anonymous persons.',
            example: 'usr_1893499200000_3n4o5p6q7r8s9t0u',
          }),
        name: z
          .string()
          .nullable()
          .meta({
            description:
              'What the actor was called then: the e-mail of a user, the name of a secret key or ' +
              'platform, the account of the operating system on the command line.',
            example: 'ada@shop.example',
          }),
      })
      .describe('Who did it.'),
    action: z.enum(AUDIT_ACTIONS).meta({
      description: 'What was done.',
      example: 'secret_key.created',
    }),
    about: z.string().nullable().meta({
      description: 'Id of the record that it was done to; null if there is none.',
      example: 'key_1893499200000_3n4o5p6q7r8s9t0u',
    }),
    ip: z.string().nullable().meta({
      description: 'Network address that it came from; null if it is not known.',
      example: '203.0.113.7',
    }),
    detail: z.record(z.string(), detailValue).meta({
      description:
        'What else is known, such as the names of changed members. It has no values of secrets.',
      example: { members: ['name', 'expires'] },
    }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'An entry of the audit log, which is never changed.',
  })

export type AuditEntry = z.output<typeof auditEntry>
