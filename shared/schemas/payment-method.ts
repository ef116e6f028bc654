import { z } from 'zod'
import { account } from './account.ts'
import { instant, recordMembers, relation } from './common.ts'

/** Payment methods that a payer allowed to be kept (contract section 12). */
export const paymentMethod = z
  .strictObject({
    id: z.string(),
    account: relation(account),
    type: z.string(),
    label: z.string(),
    card: z
      .strictObject({
        brand: z.string().nullable(),
        last4: z.string().nullable(),
        exp_month: z.int().nullable(),
        exp_year: z.int().nullable(),
        funding: z.string().nullable(),
        country: z.string().nullable(),
      })
      .nullable(),
    bank: z
      .strictObject({ last4: z.string().nullable(), country: z.string().nullable() })
      .nullable(),
    status: z.enum(['ACTIVE', 'EXPIRED', 'REMOVED']),
    reusable: z.boolean(),
    default: z.boolean(),
    consent: z.strictObject({
      given: z.boolean(),
      text: z.string().nullable(),
      language: z.string().nullable(),
      at: instant.nullable(),
      checkout: z.string().nullable(),
    }),
    gateway: z.string(),
    fingerprint: z.string(),
    ...recordMembers,
  })
  .meta({ id: 'PaymentMethod' })

export type PaymentMethod = z.output<typeof paymentMethod>

export const paymentMethodAnswer = z.strictObject({ payment_method: paymentMethod })
export const paymentMethodList = z.array(paymentMethod)
