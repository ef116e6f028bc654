import { z } from 'zod'
import { containsCardNumber } from '../rules/card-in-text.ts'
import { TAX_ID_TYPES, taxIdProblem } from '../rules/tax-id.ts'
import { sessionMembers } from './actor-session.ts'
import {
  address,
  altKey,
  country,
  currency,
  email,
  flag,
  flagOrNone,
  httpsUrl,
  NO_CARD_NUMBER,
  recordMembers,
  recordText,
  text,
} from './common.ts'

const STATEMENT_DESCRIPTOR = {
  description:
    'Text on the statements of payers: 5 to 22 of capital letters, digits, space, `.`, `*` and `-`, with a letter. Processors add to it or shorten it by their own rules.',
  example: 'NORD ATELIER',
}

const taxId = z
  .strictObject({
    type: z
      .enum(TAX_ID_TYPES)
      .describe(
        '`VAT`: value added tax. `GST`: goods and services tax. `EIN`: United States. `ABN`: Australia. `OTHER`: any other.',
      ),
    country: country.meta({ description: 'Country that gave it, ISO 3166-1.', example: 'FR' }),
    value: text(40).meta({
      description:
        'The number. A VAT number of the European Union begins with the code of its state.',
      example: 'FR40303265045',
    }),
  })
  .superRefine((value, context) => {
    const problem = taxIdProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem.rule, path: [problem.member] })
  })

const url = (description: string, example: string) =>
  httpsUrl.nullable().meta({ description, example })

/** Members that a merchant writes. Null clears one that may be null. */
const writable = {
  alt_key: altKey.nullable().meta({
    description: 'Your own key, by which paths find it too. Unique among active legal entities.',
    example: 'nord-fr',
  }),
  name: text(255).min(1).nullable().meta({
    description: 'Your own name of it, which payers do not see; null if there is none.',
    example: 'Nord France',
  }),
  legal_name: text(255).min(1).meta({
    description: 'Its name in law. Payers see it below the form and on the receipt.',
    example: 'Atelier Nord SAS',
  }),
  type: z
    .enum(['ORGANISATION', 'SOLE_TRADER', 'INDIVIDUAL'])
    .describe('`ORGANISATION`: a company or an association. The others are persons.'),
  registration_number: text(64).min(1).nullable().meta({
    description: 'Number in a commercial register; null if there is none.',
    example: '303 265 045',
  }),
  registered_at: text(255).min(1).nullable().meta({
    description: 'The register or court of that number; null if there is none.',
    example: 'RCS Lyon',
  }),
  tax_ids: z.array(taxId).max(10).describe('Its tax numbers, up to 10.'),
  address: address.nullable().describe('Postal address. An update replaces it as a whole.'),
  country: country.meta({ description: 'Country of its seat, ISO 3166-1.', example: 'FR' }),
  email: email.nullable().describe('E-mail address for payers; null if there is none.'),
  phone: text(64).min(1).nullable().meta({
    description: 'Phone number for payers; null if there is none.',
    example: '+33 1 23 45 67 89',
  }),
  url: url('Page with the legal notice; https.', 'https://shop.example/legal'),
  statement_descriptor: z
    .string()
    .max(22)
    .regex(/^[A-Z0-9 .*-]{5,22}$/, {
      error: 'must be 5 to 22 of capital letters, digits, space, ".", "*" and "-"',
    })
    .refine((value) => /[A-Z]/.test(value), { error: 'must have a letter' })
    .refine((value) => !containsCardNumber(value), NO_CARD_NUMBER)
    .nullable()
    .meta(STATEMENT_DESCRIPTOR),
  receipt_footer: text(2000).min(1).nullable().meta({
    description: 'Plain text below receipts, up to 2,000 characters; null if there is none.',
    example: 'Goods may be returned within 30 days.',
  }),
  terms_url: url('Page with the terms and conditions; https.', 'https://shop.example/terms'),
  privacy_url: url('Page with the privacy policy; https.', 'https://shop.example/privacy'),
  logo: url(
    'HTTPS address of a picture, shown at the top of the page where the branding has none.',
    'https://shop.example/nord.svg',
  ),
  currencies: z
    .array(currency)
    .min(1)
    .max(200)
    .nullable()
    .meta({
      description:
        'Currencies in which it may be paid; null for all. The default is used for every currency that no route serves.',
      example: ['EUR'],
    }),
}

const { legal_name, country: seat, ...optional } = writable

const required = { legal_name, country: seat }

export const createLegalEntityRequest = z
  .strictObject({
    legal_entity: z
      .strictObject({
        ...required,
        ...z.strictObject(optional).partial().shape,
        default: flagOrNone.describe(
          'True makes it the default in place of the present one. The first one is the default in any case.',
        ),
      })
      .describe('The new legal entity.'),
  })
  .meta({ id: 'CreateLegalEntity', description: 'Body of a request that creates a legal entity.' })

export type NewLegalEntity = z.output<typeof createLegalEntityRequest>['legal_entity']

export const updateLegalEntityRequest = z
  .strictObject({
    legal_entity: z
      .strictObject({
        ...writable,
        default: flag.describe('True makes it the default in place of the present one.'),
      })
      .partial()
      .describe('The members to change; others are kept, and null clears one.'),
  })
  .meta({ id: 'UpdateLegalEntity', description: 'Body of a request that changes a legal entity.' })

export type LegalEntityChange = z.output<typeof updateLegalEntityRequest>['legal_entity']

export const legalEntity = z
  .strictObject({
    id: recordText('Legal entity id; begins with `le_`.', 'le_1893499200000_5f6g7h8i9j0k1l2m'),
    ...writable,
    default: flag.describe('Whether payments that no route serves belong to it.'),
    status: z
      .enum(['ACTIVE', 'ARCHIVED'])
      .describe('`ACTIVE`: in use. `ARCHIVED`: kept for the payments that belong to it.'),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'LegalEntity', description: 'A person or company that is paid.' })

export type LegalEntityRecord = z.output<typeof legalEntity>

export const legalEntityResponse = z.strictObject({ legal_entity: legalEntity })
