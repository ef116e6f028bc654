import { z } from 'zod'
import { actorSession } from './actor-session.ts'
import { accountAddress, merchantKey, metadata, notes, recordMembers } from './common.ts'
import { relation, text, timeZone } from './common.ts'
import { transaction } from './transaction.ts'

/** Accounts (specification: Account; contract section 12). */

/** Addresses of accounts are kept as they came, so the record asks less than the link's options. */
const storedAddress = z.strictObject({
  line1: z.string().nullish(),
  line2: z.string().nullish(),
  line3: z.string().nullish(),
  line4: z.string().nullish(),
  line5: z.string().nullish(),
  line6: z.string().nullish(),
  country: z.string().nullish(),
})

export const account = z
  .strictObject({
    id: z.string(),
    crm_key: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    company: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: storedAddress.nullable(),
    metadata,
    tags: z.string().nullable(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    channel: z.string().nullable(),
    division: z.string().nullable(),
    crm: z.string().nullable(),
    status: z.enum(['PENDING', 'ACTIVE', 'ARCHIVED']),
    last_transacted: z.string().nullable(),
    last_transaction: relation(transaction),
    created_session: relation(actorSession),
    updated_session: relation(actorSession),
    ...recordMembers,
  })
  .meta({ id: 'Account' })

export type Account = z.output<typeof account>

const freeText = text(1000).nullish()

/** E-mail and phone are taken as they come: an account is the merchant's note about a person. */
const writable = {
  first_name: freeText,
  last_name: freeText,
  company: freeText,
  email: freeText,
  phone: freeText,
  address: accountAddress.nullish(),
  metadata: notes.nullish(),
  tags: text(5000).nullish(),
  locale: freeText,
  timezone: timeZone.nullish(),
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

/** The details of an account that another request finds by its key, or makes. */
export const accountDetails = z
  .strictObject({ crm_key: merchantKey.nullish(), ...writable })
  .meta({ id: 'AccountDetails' })

export const createAccount = z
  .strictObject({ account: z.strictObject({ crm_key: merchantKey, ...writable }) })
  .meta({ id: 'CreateAccount' })

export type NewAccount = z.output<typeof createAccount>['account']

export const updateAccount = z
  .strictObject({ account: z.strictObject(writable) })
  .meta({ id: 'UpdateAccount' })

export type AccountChange = z.output<typeof updateAccount>['account']

export const accountAnswer = z.strictObject({ account })
export const accountList = z.array(account)
