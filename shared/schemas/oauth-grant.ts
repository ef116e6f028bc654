import { z } from 'zod'
import { instant, instantOrNull, recordText } from './common.ts'

export const oauthGrant = z
  .strictObject({
    id: recordText('Id of the grant; begins with `og_`.', 'og_1893499200000_3n4o5p6q7r8s9t0u'),
    client: z
      .strictObject({
        id: recordText(
          'Id of the platform; begins with `oc_`.',
          'oc_1893499200000_3n4o5p6q7r8s9t0u',
        ),
        name: recordText('What the platform is called.', 'Tillworks'),
      })
      .describe('The platform that may act.'),
    user: z
      .strictObject({
        id: recordText('Id of the user; begins with `usr_`.', 'usr_1893499200000_3n4o5p6q7r8s9t0u'),
        email: recordText('E-mail address of the user.', 'ada@shop.example'),
      })
      .describe('Who approved it.'),
    scopes: z
      .array(z.string())
      .meta({ description: 'What the platform may do.', example: ['payment_links:write'] }),
    created: instant.describe('When it was approved.'),
    last_used: instantOrNull.describe(
      'When the platform last called the API, to a minute; null if it has not.',
    ),
  })
  .meta({ id: 'OauthGrant', description: 'The access of a platform to this instance.' })

export type OauthGrant = z.output<typeof oauthGrant>
