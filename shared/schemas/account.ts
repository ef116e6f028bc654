import { z } from 'zod'
import { metadata, recordMembers } from './common.ts'

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
    last_transaction: z.string().nullable(),
    created_session: z.string().nullable(),
    updated_session: z.string().nullable(),
    ...recordMembers,
  })
  .meta({ id: 'Account' })

export type Account = z.output<typeof account>
