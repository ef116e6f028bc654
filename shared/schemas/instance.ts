import { z } from 'zod'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { isPlainOrigin } from '../rules/plain-origin.ts'
import {
  currency,
  flag,
  flagOrNone,
  httpsUrl,
  NO_CARD_NUMBER,
  positiveAmount,
  recordMembers,
  recordText,
  text,
  timeZone,
} from './common.ts'

const name = text(255).min(1)

/** A color as six hex digits, with an example for the error. */
const color = (example: string, description: string) =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: `must be a color such as ${example}` })
    .optional()
    .meta({ description, example })

/** Theme of the page. Values are single CSS colors or lengths. */
export const theme = z
  .strictObject({
    accent: color(
      '#0b6b4f',
      'Color of buttons and links, as six hex digits. The page adjusts it if its contrast with text is too low.',
    ),
    surface: color('#ffffff', 'Background color, as six hex digits.'),
    text: color('#16201b', 'Text color, as six hex digits.'),
    radius: z
      .string()
      .regex(/^\d{1,2}px$/, { error: 'must be a length such as 8px' })
      .optional()
      .meta({ description: 'Radius of corners, 0px to 99px.', example: '8px' }),
  })
  .meta({
    id: 'Theme',
    description: 'Colors and corners of the payment page. Omitted members keep their defaults.',
  })

export const branding = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: 'must be small letters, digits, - and _' })
      .refine((key) => !containsCardNumber(key), NO_CARD_NUMBER)
      .meta({
        description:
          'Key of the branding: small letters, digits, `-` and `_`. Strings and the page name the branding by it.',
        example: 'kids',
      }),
    name: name.meta({
      description: 'Name that payers see in place of that of the instance.',
      example: 'Corner Shop Kids',
    }),
    channels: z
      .array(text(64).min(1))
      .max(50)
      .default([])
      .meta({
        description: 'Values of `options.channel` whose payment links show this branding.',
        example: ['kids-web'],
      }),
    logo: httpsUrl.nullable().default(null).meta({
      description:
        'HTTPS address of a picture, shown at the top of the page; null for the first letter of the name.',
      example: 'https://shop.example/kids.svg',
    }),
    theme: theme
      .nullable()
      .default(null)
      .describe('Colors and corners; null for those of the instance.'),
  })
  .meta({
    id: 'Branding',
    description: 'Another name and look of the payment page, for some sales channels.',
  })

export type Branding = z.output<typeof branding>

const NO_ORIGIN = { error: 'must be an origin such as https://shop.example' }

/** An origin that may frame the page: `https://shop.example` or `https://*.shop.example`. */
const origin = text(255)
  .regex(
    /^(https:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?)$/,
    NO_ORIGIN,
  )
  .refine((written) => isPlainOrigin(written.replace('://*.', '://')), NO_ORIGIN)

const language = z.string().regex(/^([a-z]{2}|default)$/, {
  error: 'must be a two-letter code or default',
})

const settings = {
  twin: text(63).min(1).nullable().meta({
    description:
      'Key of the instance of the other mode that belongs with this one, a test instance with its live one; null if there is none. Each of the two names the other. Only users who can change both set it.',
    example: 'live',
  }),
  name: name.meta({
    description: 'Name of the merchant, shown to payers.',
    example: 'Corner Shop',
  }),
  default_currency: currency.describe('Currency of payments and links that name none, ISO 4217.'),
  timezone: timeZone
    .nullable()
    .describe(
      'IANA time zone of dates on the page and of contracts, unless the link or account has one; null if the browser of the payer decides, and UTC for contracts.',
    ),
  languages: z
    .array(language)
    .min(1)
    .max(200)
    .nullable()
    .meta({
      description:
        'Languages that payers can choose, as two-letter codes or `default`; null for all languages that have strings.',
      example: ['fr', 'de'],
    }),
  allowed_origins: z
    .array(origin)
    .max(100)
    .meta({
      description:
        'Origins whose pages may embed the checkout, `https://*.shop.example` for all hosts below one. With an empty list no page may.',
      example: ['https://shop.example'],
    }),
  theme: theme.nullable().describe('Colors and corners of the page; null for the built-in ones.'),
  link_saved_methods: flag.describe(
    'Whether a link that names an account by its id offers the stored methods of that account.',
  ),
  step_up_refund: positiveAmount.nullable().meta({
    description:
      'Amount in the default currency above which a live refund from the console needs a fresh proof of who its user is; null if none does. A refund in another currency always needs it then. Secret keys and tokens are not asked.',
    example: '200.00',
  }),
  support_refund_max: positiveAmount.nullable().meta({
    description:
      'Amount in the default currency up to which users with the role SUPPORT may give back money in one refund; null if any. In another currency they may then refund nothing. Only owners and secret keys without scopes change it and `step_up_refund`.',
    example: '50.00',
  }),
  brandings: z
    .array(branding)
    .max(50)
    .describe('Other names and looks, each for some channels. An update replaces all of them.'),
}

export const updateInstanceRequest = z
  .strictObject({
    instance: z
      .strictObject(settings)
      .partial()
      .describe('The settings to change; the others stay.'),
    force: flagOrNone.describe(
      'True to remove brandings together with their strings. Otherwise removing a branding that has strings is rejected.',
    ),
  })
  .meta({ id: 'UpdateInstance', description: 'Body of a request that changes the settings.' })

export type InstanceChange = z.output<typeof updateInstanceRequest>['instance']

export const instance = z
  .strictObject({
    key: recordText('Key of the instance, as in the path.', 'default'),
    mode: z
      .enum(['TEST', 'LIVE'])
      .describe('`TEST`: payments go to the sandbox, and no money moves. `LIVE`: real money.'),
    ...settings,
    ...recordMembers,
  })
  .meta({ id: 'Instance', description: 'A merchant with its settings.' })

export type InstanceRecord = z.output<typeof instance>

export const instanceResponse = z.strictObject({ instance })
