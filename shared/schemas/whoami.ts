import { z } from 'zod'
import { EVERY_PERMISSION, type Permission } from '../rules/permissions.ts'
import { ROLES } from '../rules/roles.ts'

const instanceName = z.strictObject({
  key: z.string().meta({ description: 'Key of the instance, as in the URLs of the API.' }),
  name: z.string().meta({ description: 'Name that payers see.' }),
  mode: z.enum(['TEST', 'LIVE']).meta({ description: 'Whether real money moves.' }),
  twin: z.string().nullable().meta({
    description:
      'Key of the instance of the other mode that belongs with it; null if there is none.',
  }),
})

export const whoamiResponse = z.strictObject({
  whoami: z
    .strictObject({
      type: z
        .enum(['USER', 'API_KEY', 'OAUTH'])
        .meta({ description: 'What authenticates the caller.' }),
      user: z
        .strictObject({
          id: z.string().meta({ description: 'Id of the user.' }),
          email: z.string().meta({ description: 'Email address of the user.' }),
          role: z.enum(ROLES).meta({ description: 'Role of the user at the merchant.' }),
        })
        .nullable()
        .meta({ description: 'The user; null for secret keys and platforms.' }),
      key: z
        .strictObject({
          id: z.string().meta({ description: 'Id of the secret key.' }),
          name: z
            .string()
            .nullable()
            .meta({ description: 'Name of the secret key; null if it has none.' }),
        })
        .nullable()
        .meta({ description: 'The secret key that calls; null for others.' }),
      client: z
        .strictObject({
          name: z.string().meta({ description: 'Name of the platform.' }),
        })
        .nullable()
        .meta({ description: 'The platform that calls with an access token; null for others.' }),
      instance: instanceName.meta({ description: 'The instance of this request.' }),
      instances: z
        .array(instanceName)
        .meta({ description: 'The instances that the caller can access, oldest first.' }),
      permissions: z
        .array(z.enum(EVERY_PERMISSION as [Permission, ...Permission[]]))
        .meta({ description: 'What the caller may do in this instance.' }),
    })
    .meta({ id: 'Whoami', description: 'The caller of the API.' }),
})

export type Whoami = z.output<typeof whoamiResponse>['whoami']
