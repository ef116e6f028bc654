import { z } from 'zod'
import { account } from './account.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payment } from './payment.ts'
import { paymentLink } from './payment-link.ts'

/** A checkout session as its merchant sees it (contract section 7.2). */
export const checkoutRecord = z
  .strictObject({
    id: z.string(),
    payment_link: relation(paymentLink),
    account: relation(account),
    status: z.enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED']),
    language: z.string(),
    branding: z.string().nullable(),
    timezone: z.string().nullable(),
    strings_hash: z.string().nullable().meta({
      description: 'SHA-256 of the frozen wording; null once nobody can see that any more.',
    }),
    options_v: z.int(),
    amount: z.string().nullable(),
    currency: currency.nullable(),
    alt_key: z.string().nullable(),
    description: z.string().nullable(),
    payer_comment: z.string().nullable(),
    embedded_origin: z.string().nullable(),
    attempts: z.array(
      z.strictObject({ payment: z.string(), status: payment.shape.status, created: instant }),
    ),
    milestones: z.strictObject({
      opened: instant,
      details_done: instant.nullable().meta({
        description:
          'When first name, last name and a valid email first stood in the form together. null where the payer left one of them empty, where the page does not ask for them, or where the page did not report it: it reports with its next question about the session or with the payment, so a page without scripts, or one that is closed before that, reports nothing.',
      }),
      method_chosen: instant.nullable().meta({
        description:
          'When the payer first chose a payment method, or first typed into the fields of the one that was chosen already. Reported like `details_done`.',
      }),
      submitted: instant.nullable(),
      challenged: instant.nullable(),
      completed: instant.nullable(),
    }),
    expires: instant,
    ...recordMembers,
  })
  .meta({ id: 'CheckoutSession' })

export type CheckoutRecord = z.output<typeof checkoutRecord>

export const checkoutAnswer = z.strictObject({ checkout: checkoutRecord })
export const checkoutList = z.array(checkoutRecord)
