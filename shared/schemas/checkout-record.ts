import { z } from 'zod'
import { account } from './account.ts'
import {
  currency,
  instant,
  instantOrNull,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
} from './common.ts'
import { legalEntity } from './legal-entity.ts'
import { deepLink } from './deep-link.ts'
import { payer } from './payer.ts'
import { payment } from './payment.ts'
import { paymentLink } from './payment-link-record.ts'

/** A checkout session as the merchant sees it. */
export const checkoutRecord = z
  .strictObject({
    id: recordText('Checkout session id; begins with `ck_`.', 'ck_1893499200000_8i9j0k1l2m3n4o5p'),
    payment_link: relation(paymentLink).describe(
      'The payment link that was opened, or that the first attempt on a deep link made; null before that attempt. Expandable.',
    ),
    deep_link: relation(deepLink).describe(
      'The deep link that was opened; null for a payment link of its own. Expandable.',
    ),
    legal_entity: relation(legalEntity).describe(
      'The legal entity to which a payment belongs, fixed when the session was opened or, where that depends on the payer, submitted; null while the instance has no legal entities. Expandable.',
    ),
    account: relation(account).describe(
      'The customer of the last payment attempt; null before the first. Expandable.',
    ),
    status: z
      .enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED'])
      .describe(
        '`OPEN`: the payer can pay. `SUBMITTED`: a payment is under way. `COMPLETED`: paid, or the free trial has begun. `PENDING`: the bank decides later. `EXPIRED`: ended before the payer had begun. `ABANDONED`: ended unpaid after the payer had filled in details, chosen a method or tried to pay.',
      ),
    language: recordText(
      'Language of the page: two letters, or `default`. Fixed when the session was opened.',
      'fr',
    ),
    branding: recordTextOrNull(
      'Key of the branding that the page shows; null for the look of the instance itself.',
    ),
    timezone: recordTextOrNull(
      'IANA time zone of dates on the page; null if the browser of the payer decides.',
    ),
    strings_hash: recordTextOrNull(
      'SHA-256 (hex) of the strings that the session was opened with; null once they have been deleted.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    options_v: z
      .int()
      .describe(
        'Version of the options of the link that the payer last agreed to: when the session was opened, or with the last attempt. A payment by older options is not taken; the page shows the new ones first.',
      ),
    amount: recordTextOrNull(
      'Amount of the last attempt, in major units: zero for a free trial. Null before the first.',
      '24.00',
    ),
    quantity: z.int().nullable().meta({
      description:
        'How many the payer chose in the last attempt; null if the link asks for no quantity.',
      example: 3,
    }),
    currency: currency
      .nullable()
      .describe('Currency that the session was opened with, ISO 4217; null if it was not stored.'),
    alt_key: recordTextOrNull(
      'Reference of the last attempt: that of the link, or the one that the payer entered. Null if there is none.',
      'order-1001',
    ),
    description: recordTextOrNull(
      'Comment of the last attempt: that of the link, or the default as the payer changed it. Null if there is none.',
    ),
    payer: payer
      .nullable()
      .describe('Details that the payer entered in the last attempt; null if none.'),
    payer_comment: recordTextOrNull('Comment that the payer added to a fixed one; null if none.'),
    embedded_origin: recordTextOrNull(
      'Origin of the embedding page, as reported by that page; null if not embedded.',
      'https://shop.example',
    ),
    attempts: z
      .array(
        z.strictObject({
          payment: recordTextOrNull(
            'Payment id; begins with `pay_`. Null for a free trial.',
            'pay_1893499200000_3d4e5f6g7h8i9j0k',
          ),
          status: payment.shape.status.describe('Status of that payment or free trial now.'),
          created: instant.describe('When the payer submitted it.'),
        }),
      )
      .describe('Attempts of the session to pay or to begin a free trial, oldest first.'),
    milestones: z
      .strictObject({
        opened: instant.describe('When the payer opened the page.'),
        details_done: instantOrNull.describe(
          'When first name, last name and a valid email were first all present in the form. Null if one of them stayed empty or the page does not request them. The page reports it with its next request, so a page that is closed before that or runs no scripts reports nothing.',
        ),
        method_chosen: instantOrNull.describe(
          'When the payer first chose a payment method or entered something into the fields of the preselected one. Reported like `details_done`.',
        ),
        submitted: instantOrNull.describe(
          'When the payer first submitted a payment; null if that has not happened.',
        ),
        challenged: instantOrNull.describe(
          'When the bank first requested a confirmation; null if that has not happened.',
        ),
        completed: instantOrNull.describe(
          'When a payment succeeded; null if that has not happened.',
        ),
      })
      .describe('When the session reached its stages for the first time.'),
    expires: instant.describe('When the session ends. A payment under way is finished after that.'),
    ...recordMembers,
  })
  .meta({
    id: 'CheckoutSession',
    description: 'One visit of a payer to the page of a payment link.',
  })

export type CheckoutRecord = z.output<typeof checkoutRecord>
