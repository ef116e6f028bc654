import { z } from 'zod'
import { holdsCardNumber } from '../rules/card-in-text.ts'
import { isPlainOrigin, plainOrigin } from '../rules/plain-origin.ts'
import { NO_CARD_NUMBER, URL_MAX, currency, recordMembers, text, timeZone } from './common.ts'

/** A merchant's instance and its settings (contract section 22). */

const name = text(255).min(1)

/** Design tokens of the page. Values are single CSS colours or lengths, never more of CSS. */
export const theme = z
  .strictObject({
    accent: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #0b6b4f' })
      .optional(),
    surface: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #ffffff' })
      .optional(),
    text: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #16201b' })
      .optional(),
    radius: z
      .string()
      .regex(/^\d{1,2}px$/, { error: 'must be a length such as 8px' })
      .optional(),
  })
  .meta({ id: 'Theme' })

const logo = text(URL_MAX)
  .regex(/^https:\/\/[^\s"'<>\\]+$/, { error: 'must be an https URL' })
  .refine((url) => plainOrigin(url) !== null, {
    error: 'must have a host of letters, digits, dots, - and _, and a port up to 65535 if any',
  })

export const branding = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: 'must be small letters, digits, - and _' })
      .refine((key) => !holdsCardNumber(key), NO_CARD_NUMBER),
    name,
    channels: z.array(text(64).min(1)).max(50).default([]),
    logo: logo.nullable().default(null),
    theme: theme.nullable().default(null),
  })
  .meta({ id: 'Branding' })

export type Branding = z.output<typeof branding>

/** An origin that may frame the page: `https://shop.example` or `https://*.shop.example`. */
const origin = text(255)
  .regex(
    /^(https:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?)$/,
    {
      error: 'must be an origin such as https://shop.example',
    },
  )
  .refine((written) => isPlainOrigin(written.replace('://*.', '://')), {
    error: 'must be an origin such as https://shop.example',
  })

const language = z.string().regex(/^([a-z]{2}|default)$/, {
  error: 'must be a two-letter code or default',
})

const settings = {
  name,
  default_currency: currency,
  timezone: timeZone.nullable(),
  languages: z.array(language).min(1).max(200).nullable(),
  allowed_origins: z.array(origin).max(100),
  theme: theme.nullable(),
  link_saved_methods: z.boolean(),
  brandings: z.array(branding).max(50),
}

export const updateInstance = z
  .strictObject({
    instance: z.strictObject(settings).partial(),
    force: z.boolean().nullish().meta({
      description: 'Drops brandings that have wording, and their wording with them.',
    }),
  })
  .meta({ id: 'UpdateInstance' })

export type InstanceChange = z.output<typeof updateInstance>['instance']

export const instance = z
  .strictObject({ key: z.string(), mode: z.enum(['TEST', 'LIVE']), ...settings, ...recordMembers })
  .meta({ id: 'Instance' })

export type InstanceRecord = z.output<typeof instance>

export const instanceAnswer = z.strictObject({ instance })
