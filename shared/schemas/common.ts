import { z } from 'zod'
import { containsCardNumber, isCardNumber } from '../rules/card-in-text.ts'
import { SUBDIVISION, isCountry, isSubdivision } from './country.ts'
import { currencyDigits } from '../rules/currency.ts'
import { looksLikeEmail } from '../rules/email.ts'
import { foldKey } from '../rules/fold-key.ts'
import { looksLikeId } from '../rules/ids.ts'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { plainOrigin } from '../rules/plain-origin.ts'
import { isTimeZone, parseInstant } from '../rules/time.ts'

/**
 * Values of several resources. Error messages state the rule; the path of the member is put before.
 */

/** Text of a response, with its description and an example. Nothing checks it, unlike `text`. */
export const recordText = (description: string, example?: string) =>
  z.string().meta({ description, ...(example === undefined ? {} : { example }) })

/** Like `recordText`, for a member that may be null. */
export const recordTextOrNull = (description: string, example?: string) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(example === undefined ? {} : { example }) })

export const instant = z
  .string()
  .max(64)
  .refine((text) => parseInstant(text) !== undefined, {
    error: 'must be an RFC 3339 date-time with an offset, such as 2030-01-31T09:00:00Z',
  })
  .meta({ format: 'date-time', example: '2030-01-31T09:00:00.000Z' })

export const instantOrNull = instant.nullable()

export const flag = z.boolean()

/** Of a request, which may omit it or send null. */
export const flagOrNone = flag.nullish()

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be three capital letters' })
  .refine((code) => currencyDigits(code) !== undefined, { error: 'is not an ISO 4217 currency' })
  .meta({ example: 'EUR' })

/** A non-zero decimal amount in major units. Decimals are checked with the currency. */
export const positiveAmount = z
  .string()
  .max(AMOUNT_LENGTH_MAX)
  .regex(/^[0-9]{1,12}(\.[0-9]+)?$/, {
    error: 'must be a decimal amount such as "10.50", with a dot and no other separators',
  })
  .refine((text) => /[1-9]/.test(text), { error: 'must be more than zero' })
  .meta({ example: '12.50' })

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'must be an IANA time zone name such as Europe/Paris' })
  .meta({ example: 'Europe/Paris' })

/** Includes a workaround for numbers that only look like card numbers. */
export const NO_CARD_NUMBER = {
  error: 'must not contain a card number (prefix other numbers with a letter)',
}

export const NO_CARD_TOKEN = { error: 'must be a token, not a card number' }

const NO_ID = { error: 'must not have the form of an id' }

// Keys are printed, searched and put into paths; what cannot be seen has no place in them. Clients of
// every language read this pattern, so it has no look-ahead, no flag and no class by name.
// oxlint-disable-next-line no-control-regex -- it refuses them
const VISIBLE = /^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$/

/** A key that the merchant chooses and that paths may contain, such as `crm_key`. */
export const merchantKey = z
  .string()
  .min(1)
  .max(255)
  .regex(VISIBLE, { error: 'must not begin or end with a space or contain control characters' })
  .refine((text) => text.isWellFormed(), { error: 'must not contain a lone surrogate' })
  .refine((text) => !looksLikeId(text), NO_ID)
  // Clients remove these segments from a path.
  .refine((text) => text !== '.' && text !== '..', { error: 'must not be . or ..' })
  .refine((text) => !containsCardNumber(text), NO_CARD_NUMBER)

/** A case-insensitive key, which must not have the form of an id in any case. */
export const altKey = merchantKey.refine((text) => !looksLikeId(foldKey(text)), NO_ID)

// PostgreSQL cannot store the NUL character.
const storable = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), { error: 'must not contain the NUL character' })
    .refine((value) => value.isWellFormed(), { error: 'must not contain a lone surrogate' })

/** Stored text of at most `max` characters without a card number. */
export const text = (max: number) =>
  storable(max).refine((value) => !containsCardNumber(value), NO_CARD_NUMBER)

/** Maximum length of stored URLs. */
export const URL_MAX = 2048

/** A token that the processor's script created from a card or account. */
export const processorToken = z
  .string()
  .regex(/^[\w-]{1,255}$/, { error: 'must be a token of the processor' })
  // A card number here is a mistake and is not even forwarded to a processor.
  .refine((token) => !/^[0-9]{12,19}$/.test(token.replaceAll(/[-_]/g, '')), NO_CARD_TOKEN)
  .refine((token) => !(token.match(/\d+/g) ?? []).some(isCardNumber), NO_CARD_TOKEN)

/** An https URL that the page may show or link. */
export const httpsUrl = text(URL_MAX)
  .regex(/^https:\/\/[^\s"'<>\\]+$/, { error: 'must be an https URL' })
  .refine((url) => plainOrigin(url) !== null, {
    error: 'must have a host of letters, digits, dots, - and _, and a port up to 65535 if any',
  })

export const email = text(320)
  .refine(looksLikeEmail, { error: 'must be an email address' })
  .meta({ format: 'email', example: 'ada@example.com' })

const METADATA_KEYS_MAX = 50
/** Bounded, because a list may return a thousand records. */
const METADATA_LENGTH_MAX = 16_384

/** The merchant's own key-value pairs. */
export const notes = z.preprocess(
  refusePrototype,
  z
    .record(storable(255), text(5000))
    .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX, {
      error: `may have at most ${METADATA_KEYS_MAX} keys`,
    })
    .refine((value) => JSON.stringify(value).length <= METADATA_LENGTH_MAX, {
      error: `must be at most ${METADATA_LENGTH_MAX} characters as JSON`,
    })
    .refine((value) => !Object.keys(value).some(containsCardNumber), NO_CARD_NUMBER),
)

/** zod would drop this member silently. */
function refusePrototype(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    context.addIssue({ code: 'custom', message: 'must not have the name __proto__' })
  return value
}

/** Members of addresses in requests and responses. */
export const ADDRESS = {
  line1: { description: 'First line: street and number.', example: '12 rue des Lilas' },
  line2: { description: 'Second line.' },
  line3: { description: 'Third line.' },
  line4: { description: 'City or town.', example: 'Lyon' },
  line5: { description: 'Post or ZIP code.', example: '69003' },
  line6: { description: 'State or province, as an ISO 3166-2 code.', example: 'FR-ARA' },
  country: { description: 'Country, ISO 3166-1 alpha-2.', example: 'FR' },
}

const NO_SUBDIVISION = { error: 'must be an ISO 3166-2 code such as US-CA' }
const NO_COUNTRY = { error: 'must be an ISO 3166-1 alpha-2 code such as DE' }

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, NO_COUNTRY)
  .refine(isCountry, NO_COUNTRY)

/** For a `line6` of another country than the address. */
export const OUTSIDE = 'must lie in the country of the address'

/** Returns whether a subdivision belongs to a country; true if one of them is absent. */
export function isWithin(
  subdivision: string | null | undefined,
  country: string | null | undefined,
): boolean {
  return !subdivision || !country || subdivision.startsWith(`${country}-`)
}

/** Creates an address schema with the value schemas for its lines and post code. */
const addressOf = <Line extends z.ZodType, PostCode extends z.ZodType>(
  line: Line,
  postCode: PostCode,
) =>
  z
    .strictObject({
      line1: line.meta(ADDRESS.line1),
      line2: line.meta(ADDRESS.line2),
      line3: line.meta(ADDRESS.line3),
      line4: line.meta(ADDRESS.line4),
      line5: postCode.meta(ADDRESS.line5),
      line6: z
        .string()
        .regex(SUBDIVISION, NO_SUBDIVISION)
        .refine(isSubdivision, NO_SUBDIVISION)
        .nullish()
        .meta(ADDRESS.line6),
      country: country.nullish().meta(ADDRESS.country),
    })
    .refine(({ line6, country }) => isWithin(line6, country), { error: OUTSIDE, path: ['line6'] })

export const address = addressOf(text(255).nullish(), text(32).nullish())

/** The address of an account, whose lines may be as long as its other texts. */
export const accountAddress = addressOf(text(1000).nullish(), text(1000).nullish())

export const metadata = z.record(z.string(), z.string())

/** An id, or the record if expanded. */
export const relation = <T extends z.ZodType>(record: T) => z.union([z.string(), record]).nullable()

/** Members of every record. */
export const recordMembers = {
  created: instant.describe('When the record was created.'),
  updated: instant.describe('When the record last changed.'),
  v: z.int().min(1).describe('Version of the record; grows by one with each change.'),
}
