import { z } from 'zod'
import { sessionMembers } from './actor-session.ts'
import {
  accountAddress,
  ADDRESS,
  flag,
  instantOrNull,
  merchantKey,
  metadata,
  notes,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
  text,
  timeZone,
} from './common.ts'
import { transaction } from './transaction.ts'

/**
 * Addresses of accounts are stored unchecked, so the record is less strict than the options of a
 * link.
 */
const storedAddress = z.strictObject({
  line1: z.string().nullish().meta(ADDRESS.line1),
  line2: z.string().nullish().meta(ADDRESS.line2),
  line3: z.string().nullish().meta(ADDRESS.line3),
  line4: z.string().nullish().meta(ADDRESS.line4),
  line5: z.string().nullish().meta(ADDRESS.line5),
  line6: z.string().nullish().meta(ADDRESS.line6),
  country: z.string().nullish().meta(ADDRESS.country),
})

export const account = z
  .strictObject({
    id: recordText('Account id; begins with `acc_`.', 'acc_1893499200000_0a1b2c3d4e5f6g7h'),
    crm_key: recordText(
      'Your identifier of the customer. Several accounts may share one; it then selects the most recently updated account. Equal to `id` if none was given.',
      'customer-7',
    ),
    first_name: recordTextOrNull('First name; null if unknown.'),
    last_name: recordTextOrNull('Last name; null if unknown.'),
    company: recordTextOrNull('Company; null if unknown.'),
    email: recordTextOrNull(
      'E-mail address as it was given: it is not checked, and may be invalid.',
    ),
    phone: recordTextOrNull('Phone number as it was given, in any format.'),
    address: storedAddress.nullable().describe('Postal address; null if unknown.'),
    metadata: metadata.describe(
      'Your own key-value pairs; `{}` if there are none. Payers never see them.',
    ),
    tags: recordTextOrNull(
      'Your own tags or references, separated by commas, by which lists can be searched.',
      'vip,newsletter',
    ),
    locale: recordTextOrNull(
      'Language tag of the customer. A payment link that names the account by its id is shown in this language, if the instance offers it.',
      'fr-CH',
    ),
    timezone: recordTextOrNull(
      'IANA time zone of the customer. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it.',
    ),
    channel: recordTextOrNull('Sales channel that the account came from; null if there is none.'),
    division: recordTextOrNull('Division that looks after the account; null if there is none.'),
    crm: recordTextOrNull('CRM system that the account came from; null if there is none.'),
    mail_notices: flag.describe(
      'Whether notices that are not required, such as about a card that expires soon, are mailed to the customer. Customers refuse them by a link in the mail.',
    ),
    status: z
      .enum(['PENDING', 'ACTIVE', 'ARCHIVED'])
      .describe(
        '`PENDING`: made by the payment page, which has neither been paid on nor saved a method yet. `ACTIVE`: in use. `ARCHIVED`: no longer in use; new payments and links of it are refused.',
      ),
    anonymised: instantOrNull.describe(
      'When what identifies the customer was removed for good; null if it was not.',
    ),
    last_transacted: recordTextOrNull(
      'When the account last paid successfully; null before the first time.',
    ),
    last_transaction: relation(transaction).describe(
      'The transaction of that payment. Expandable.',
    ),
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({ id: 'Account', description: 'A customer of the merchant.' })

export type Account = z.output<typeof account>

const freeText = text(1000).nullish()

/** Email and phone are not checked: an account is the merchant's own record of a person. */
const writable = {
  first_name: freeText.describe('First name, up to 1,000 characters.'),
  last_name: freeText.describe('Last name, up to 1,000 characters.'),
  company: freeText.describe('Company, up to 1,000 characters.'),
  email: freeText.meta({
    description: 'E-mail address. It is kept as it is, even if it is invalid.',
    example: 'ada@example.com',
  }),
  phone: freeText.meta({
    description: 'Phone number in any format.',
    example: '+33 1 23 45 67 89',
  }),
  address: accountAddress
    .nullish()
    .describe('Postal address. An update changes only the lines that it names.'),
  metadata: notes.nullish().meta({
    description:
      'Your own key-value pairs: up to 50, 16,384 characters as JSON. An update replaces all of them.',
    example: { tier: 'gold' },
  }),
  tags: text(5000).nullish().meta({
    description: 'Your own tags or references, separated by commas.',
    example: 'vip,newsletter',
  }),
  locale: freeText.meta({
    description:
      'Language tag. A payment link that names the account by its id is shown in this language, if the instance offers it.',
    example: 'fr-CH',
  }),
  timezone: timeZone
    .nullish()
    .describe(
      'IANA time zone. Contracts of the account count days and months in it, and payment links that name the account by its id show times in it.',
    ),
  channel: text(64)
    .nullish()
    .meta({
      description:
        'The channel through which the account came. One that a payment makes gets the channel of ' +
        'the payment.',
      example: 'web-shop',
    }),
  division: text(255).nullish().meta({
    description: 'The part of your company that the account belongs to.',
    example: 'north',
  }),
  crm: text(255).nullish().meta({
    description: 'The system that crm_key is a key of.',
    example: 'salesforce',
  }),
}

/**
 * Not among the details of a payment or a link: those may be older than the customer's own choice, and
 * must not undo it.
 */
const mailNotices = flag.optional().meta({
  description:
    'Whether notices that are not required, such as about a card that expires soon, are mailed to the customer. A new account has true.',
  example: true,
})

/** Details of an account that another request finds by its key or creates. */
export const accountDetails = z
  .strictObject({
    crm_key: merchantKey.nullish().meta({
      description:
        'Your identifier of the customer. The most recently updated account with it is used and updated with the other members; if there is none, an account is created.',
      example: 'customer-7',
    }),
    ...writable,
  })
  .meta({
    id: 'AccountDetails',
    description: 'Details of a customer, by which an account is found and changed, or created.',
  })

export const createAccountRequest = z
  .strictObject({
    account: z
      .strictObject({
        crm_key: merchantKey.meta({
          description:
            'Your identifier of the customer. It need not be unique: each request creates another account.',
          example: 'customer-7',
        }),
        ...writable,
        mail_notices: mailNotices,
      })
      .describe('The new account.'),
  })
  .meta({ id: 'CreateAccount', description: 'Body of a request that creates an account.' })

export type NewAccount = z.output<typeof createAccountRequest>['account']

export const updateAccountRequest = z
  .strictObject({
    account: z
      .strictObject({
        ...writable,
        mail_notices: mailNotices,
        status: z.enum(['ACTIVE', 'ARCHIVED']).optional().meta({
          description:
            '`ARCHIVED`: new payments, links and deep links of the account are refused; its contracts and the links that exist go on. `ACTIVE` permits them again.',
          example: 'ACTIVE',
        }),
      })
      .describe('The members to change; the others stay. Null clears one.'),
  })
  .meta({ id: 'UpdateAccount', description: 'Body of a request that changes an account.' })

export type AccountChange = z.output<typeof updateAccountRequest>['account']

export const anonymiseAccountRequest = z
  .strictObject({})
  .meta({ id: 'AnonymiseAccount', description: 'Body of a request that anonymises an account.' })

export const accountResponse = z.strictObject({ account })
