import { z } from 'zod'
import { account } from './account.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payer } from './payer.ts'
import { payment } from './payment.ts'
import { paymentLink } from './payment-link.ts'

/** A checkout session as the merchant sees it. */
export const checkoutRecord = z
  .strictObject({
    id: z.string().meta({
      description: 'Checkout session id; begins with `ck_`.',
      example: 'ck_1893499200000_8i9j0k1l2m3n4o5p',
    }),
    payment_link: relation(paymentLink).meta({
      description: 'The payment link that was opened. Expandable.',
    }),
    account: relation(account).meta({
      description: 'The customer of the last payment attempt; null before the first. Expandable.',
    }),
    status: z.enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED']).meta({
      description:
        '`OPEN`: the payer can pay. `SUBMITTED`: a payment is under way. `COMPLETED`: paid. `PENDING`: the bank decides later. `EXPIRED`: ended before the payer had begun. `ABANDONED`: ended unpaid after the payer had filled in details, chosen a method or tried to pay.',
    }),
    language: z.string().meta({
      description:
        'Language of the page: two letters, or `default`. Fixed when the session was opened.',
      example: 'fr',
    }),
    branding: z.string().nullable().meta({
      description:
        'Key of the branding that the page shows; null for the look of the instance itself.',
    }),
    timezone: z.string().nullable().meta({
      description: 'IANA time zone of dates on the page; null if the browser of the payer decides.',
    }),
    strings_hash: z.string().nullable().meta({
      description:
        'SHA-256 (hex) of the strings that the session was opened with; null once they have been deleted.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    options_v: z.int().meta({
      description:
        'Version of the options of the link that the payer last agreed to: when the session was opened, or with the last attempt. A payment by older options is not taken; the page shows the new ones first.',
    }),
    amount: z.string().nullable().meta({
      description: 'Amount of the last attempt, in major units; null before the first.',
      example: '24.00',
    }),
    currency: currency.nullable().meta({
      description:
        'Currency that the session was opened with, ISO 4217; null if it was not stored.',
    }),
    alt_key: z.string().nullable().meta({
      description:
        'Reference of the last attempt: that of the link, or the one that the payer entered. Null if there is none.',
      example: 'order-1001',
    }),
    description: z.string().nullable().meta({
      description:
        'Comment of the last attempt: that of the link, or the default as the payer changed it. Null if there is none.',
    }),
    payer: payer.nullable().meta({
      description: 'Details that the payer entered in the last attempt; null if none.',
    }),
    payer_comment: z.string().nullable().meta({
      description: 'Comment that the payer added to a fixed one; null if none.',
    }),
    embedded_origin: z.string().nullable().meta({
      description: 'Origin of the embedding page, as reported by that page; null if not embedded.',
      example: 'https://shop.example',
    }),
    attempts: z
      .array(
        z.strictObject({
          payment: z.string().meta({
            description: 'Payment id; begins with `pay_`.',
            example: 'pay_1893499200000_3d4e5f6g7h8i9j0k',
          }),
          status: payment.shape.status.meta({ description: 'Status of that payment now.' }),
          created: instant.meta({ description: 'When the payer submitted it.' }),
        }),
      )
      .meta({ description: 'Payment attempts of the session, oldest first.' }),
    milestones: z
      .strictObject({
        opened: instant.meta({ description: 'When the payer opened the page.' }),
        details_done: instant.nullable().meta({
          description:
            'When first name, last name and a valid email were first all present in the form. Null if one of them stayed empty or the page does not request them. The page reports it with its next request, so a page that is closed before that or runs no scripts reports nothing.',
        }),
        method_chosen: instant.nullable().meta({
          description:
            'When the payer first chose a payment method or entered something into the fields of the preselected one. Reported like `details_done`.',
        }),
        submitted: instant.nullable().meta({
          description: 'When the payer first submitted a payment; null if that has not happened.',
        }),
        challenged: instant.nullable().meta({
          description:
            'When the bank first requested a confirmation; null if that has not happened.',
        }),
        completed: instant
          .nullable()
          .meta({ description: 'When a payment succeeded; null if that has not happened.' }),
      })
      .meta({ description: 'When the session reached its stages for the first time.' }),
    expires: instant.meta({
      description: 'When the session ends. A payment under way is finished after that.',
    }),
    ...recordMembers,
  })
  .meta({
    id: 'CheckoutSession',
    description: 'One visit of a payer to the page of a payment link.',
  })

export type CheckoutRecord = z.output<typeof checkoutRecord>
