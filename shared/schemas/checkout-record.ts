import { z } from 'zod'
import { account } from './account.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payer } from './payer.ts'
import { payment } from './payment.ts'
import { paymentLink } from './payment-link.ts'

/** A checkout session as its merchant sees it (contract section 7.2). */
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
      description:
        'The customer as known from the last attempt to pay; null before the first. Expandable.',
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
      description:
        'IANA time zone of dates on the page; null where the browser of the payer decides.',
    }),
    strings_hash: z.string().nullable().meta({
      description:
        'SHA-256 (hex) of the wording that the session was opened with; null once that wording has been deleted.',
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
        'Currency that the session was opened with, ISO 4217; null where it was not stored.',
    }),
    alt_key: z.string().nullable().meta({
      description:
        'Reference of the last attempt: that of the link, or what the payer typed. Null where there is none.',
      example: 'order-1001',
    }),
    description: z.string().nullable().meta({
      description:
        'Comment of the last attempt: that of the link, or the default as the payer changed it. Null where there is none.',
    }),
    payer: payer.nullable().meta({
      description: 'What the payer typed in their latest try; null where they typed nothing.',
    }),
    payer_comment: z.string().nullable().meta({
      description: 'What the payer wrote besides a fixed comment; null where that was nothing.',
    }),
    embedded_origin: z.string().nullable().meta({
      description:
        'Origin of the page that the checkout was embedded in, as the page said; null where it stood alone.',
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
      .meta({ description: 'What was tried in this session, oldest first.' }),
    milestones: z
      .strictObject({
        opened: instant.meta({ description: 'When the payer opened the page.' }),
        details_done: instant.nullable().meta({
          description:
            'When first name, last name and a valid e-mail first stood in the form together. Null where the payer left one of them empty, or the page does not ask for them. The page reports it with its next request, so one that is closed before that, or has no scripts, reports nothing.',
        }),
        method_chosen: instant.nullable().meta({
          description:
            'When the payer first chose a payment method, or first typed into the fields of the one that was chosen already. Reported as `details_done` is.',
        }),
        submitted: instant.nullable().meta({
          description:
            'When the payer first submitted a payment; null where that has not happened.',
        }),
        challenged: instant.nullable().meta({
          description:
            'When the bank first asked the payer to confirm; null where that has not happened.',
        }),
        completed: instant
          .nullable()
          .meta({ description: 'When a payment succeeded; null where that has not happened.' }),
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
