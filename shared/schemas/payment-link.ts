import { z } from 'zod'
import { QUANTITY_MAX } from '../rules/amount-choice.ts'
import { holdsCardNumberWithin } from '../rules/card-in-text.ts'
import { ACCOUNT_ID, LEGAL_ENTITY_ID } from '../rules/ids.ts'
import {
  address,
  altKey,
  currency,
  email,
  flagOrNone,
  instant,
  merchantKey,
  NO_CARD_NUMBER,
  positiveAmount,
  text,
  timeZone,
  URL_MAX,
} from './common.ts'
import { linkRecurring } from './payment-request.ts'

/** Bytes of `state` as JSON in UTF-8. */
export const STATE_BYTES_MAX = 10_240

const redirectTarget = text(URL_MAX).meta({ format: 'uri' })

/** Customer details that prefill the page and find or create an account on the first submit. */
export const payerAccount = z
  .strictObject({
    address: address.nullish().describe('Postal address.'),
    crm_key: merchantKey.nullish().meta({
      description:
        'Your identifier of the customer. The most recently updated account with it is used; if there is none, one is created when the payer pays.',
      example: 'customer-7',
    }),
    email: email.nullish().describe('E-mail address.'),
    first_name: text(255).nullish().meta({ description: 'First name.', example: 'Ada' }),
    last_name: text(255).nullish().meta({ description: 'Last name.', example: 'Lovelace' }),
    phone: text(64).nullish().meta({ description: 'Phone number.', example: '+33 1 23 45 67 89' }),
  })
  .meta({
    id: 'PaymentLinkAccount',
    description:
      'Details of the payer, shown on the page to be changed there. An account is found or created by them when the payer pays.',
  })

const accountId = z
  .string()
  .max(255)
  .regex(ACCOUNT_ID, { error: 'must be an account id such as acc_1699000000000_k3j9' })

/** Charges that a link may pay. */
const CHARGES_MAX = 20

export const paymentLinkOptions = z
  .strictObject({
    account: z.union([accountId, payerAccount]).nullish().meta({
      description:
        'The payer. An account id: no details are requested, and the stored methods of the account may be used. An object: details that the payer sees and may change.',
      example: 'acc_1893499200000_0a1b2c3d4e5f6g7h',
    }),
    allow_description: flagOrNone.describe('Whether the payer may write a comment.'),
    alt_key: altKey.nullish().meta({
      description: 'Fixed reference, which the payer sees and cannot change.',
      example: 'order-1001',
    }),
    amount: positiveAmount.nullish().meta({
      description: 'Fixed amount in major units, with a dot. The payer cannot change it.',
      example: '24.00',
    }),
    charges: z
      .array(text(255).min(1))
      .min(1)
      .max(CHARGES_MAX)
      .refine((all) => new Set(all).size === all.length, { error: 'may name each charge once' })
      .nullish()
      .meta({
        description:
          'Charges that the link pays, by `id` or `alt_key`, which is stored as the id: active ones of one currency and of `account`, which must be an id. The amount is what is outstanding of them, read when the page is opened and when it is submitted. It excludes `amount` and the other options of amounts.',
        example: ['cg_1893499200000_1b2c3d4e5f6g7h8i'],
      }),
    amount_min: positiveAmount.nullish().meta({
      description: 'Smallest amount that the payer may choose, in major units. Excludes `amount`.',
      example: '5.00',
    }),
    amount_max: positiveAmount.nullish().meta({
      description: 'Largest amount that the payer may choose, in major units. Excludes `amount`.',
      example: '500.00',
    }),
    amount_presets: z
      .array(positiveAmount)
      .min(1, { error: 'must have 1 to 6 amounts' })
      .max(6, { error: 'must have 1 to 6 amounts' })
      .nullish()
      .meta({
        description:
          'One to six different amounts that the page offers beside a field for another one, within `amount_min` and `amount_max`. Excludes `amount`.',
        example: ['10.00', '25.00', '50.00'],
      }),
    unit_amount: positiveAmount.nullish().meta({
      description:
        'Price of one, in major units. The payer chooses how many; the amount is the product. Needs `quantity_max`, and excludes the other amounts.',
      example: '12.00',
    }),
    quantity_max: z.int().min(1).max(QUANTITY_MAX).nullish().meta({
      description: 'How many the payer may choose at most. Needs `unit_amount`.',
      example: 8,
    }),
    description: text(1000).nullish().describe('Fixed comment, shown with the payment.'),
    currency: currency
      .nullish()
      .describe('Currency of the payment, ISO 4217; that of the instance if omitted.'),
    default_alt_key: z
      .union([altKey, z.string().max(0)], { error: 'must be a string' })
      .nullish()
      .meta({
        description:
          'Reference that the payer may change. If empty, the page requests a reference without a suggestion; if omitted, it requests none. Ignored if `alt_key` is set.',
        example: 'INV-1042',
      }),
    default_amount: positiveAmount.nullish().meta({
      description:
        'Amount in major units that the payer may change, within `amount_min` and `amount_max`. Ignored if `amount` is set.',
      example: '10.00',
    }),
    default_description: text(1000)
      .nullish()
      .describe(
        'Comment that the payer may change if `allow_description` is true. Ignored if `description` is set.',
      ),
    name: text(255).nullish().meta({
      description: 'Name of the link, the title of the page; the name of the instance if omitted.',
      example: 'Two bags of coffee',
    }),
    page_intro: text(5000)
      .nullish()
      .describe('Introduction above the form, as plain text with line breaks.'),
    page_pending_message: text(5000)
      .nullish()
      .describe(
        'Sentence of the receipt of a pending payment, as plain text. Shown only if `skip_receipt` is not true and there is no `pending_url`.',
      ),
    page_success_message: text(5000)
      .nullish()
      .describe(
        'Sentence of the receipt, as plain text. Shown only if `skip_receipt` is not true and there is no `success_url`.',
      ),
    pending_url: redirectTarget.nullish().meta({
      description:
        'URL to which the payer is redirected while the payment is pending. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.',
      example: 'https://shop.example/pending',
    }),
    success_url: redirectTarget.nullish().meta({
      description:
        'URL to which the payer is redirected after a successful payment. `https` only, on test instances also `http`. The server appends `payment_link`, `status` and the ids of the created records.',
      example: 'https://shop.example/thanks',
    }),
    save_card: flagOrNone.describe(
      'True: a new method is always stored, with a notice to the payer. False: never, and methods that require storing are not offered. Omitted: the payer chooses.',
    ),
    default_save_card: flagOrNone.describe(
      'Whether the checkbox for storing the method is ticked at first. Ignored if `save_card` is set.',
    ),
    recurring: linkRecurring
      .nullish()
      .describe(
        'Makes a contract that charges the amount again and again, beginning with the payment of the link, or after `trial_days` without one. The method is saved, with a sentence of consent that names amount and rhythm, so `save_card` must not be false. Excludes `charges`.',
      ),
    hide_save_card_toggle: flagOrNone.describe(
      'True hides that checkbox; `default_save_card` then decides.',
    ),
    skip_receipt: flagOrNone.describe(
      'True: the payer goes to `success_url` or `pending_url` at once. Otherwise a receipt is shown first, with a button that leads there.',
    ),
    receipt_email: flagOrNone.describe(
      'True: the payer gets the receipt by e-mail, and those of refunds and of later charges of a contract that it begins, if the server sends mail and has an address.',
    ),
    source: z
      .enum(['ECOMMERCE'])
      .nullish()
      .describe('Where the payment comes from; `ECOMMERCE` if omitted.'),
    channel: text(64).nullish().meta({
      description:
        'Sales channel. The page shows the branding that lists it. If any branding lists channels, it must be one of them.',
      example: 'kids-web',
    }),
    legal_entity: z
      .string()
      .max(255)
      .regex(LEGAL_ENTITY_ID, { error: 'must be an id that begins with le_' })
      .nullish()
      .meta({
        description:
          'Id of the legal entity that is paid. If omitted, the first route that holds decides, else the default.',
        example: 'le_1893499200000_5f6g7h8i9j0k1l2m',
      }),
    force_add: flagOrNone.describe('True hides stored methods: the payer enters a new one.'),
    timezone: timeZone
      .nullish()
      .describe(
        'IANA time zone of dates on the page; that of the account, else of the instance, if omitted.',
      ),
  })
  .meta({
    id: 'PaymentLinkOptions',
    description:
      'Terms of the payment and configuration of the page. Members that are null or omitted are not set.',
  })

export type PaymentLinkOptions = z.output<typeof paymentLinkOptions>

// Any JSON but a bare number or boolean, passed through unchanged: copying it member by member
// would give a key such as __proto__ a meaning.
export const linkState = z
  .custom<Record<string, unknown> | unknown[] | string>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    { error: 'must be an object, an array or a string' },
  )
  .refine((value) => !holdsCardNumberWithin(value), NO_CARD_NUMBER)
  .meta({
    type: ['object', 'array', 'string'],
    additionalProperties: true,
    items: {},
    description: `Free data of the creator, at most ${STATE_BYTES_MAX} bytes as JSON.`,
  })

const writable = z.strictObject({
  expires: instant
    .nullish()
    .describe('When the link can no longer be paid; in the future. Null: never.'),
  options: paymentLinkOptions
    .nullish()
    .describe('Terms of the payment and configuration of the page. Null removes all options.'),
  state: linkState.nullish(),
})

export type PaymentLinkChange = z.output<typeof writable>

export const createPaymentLinkRequest = z
  .strictObject({
    payment_link: writable.describe(
      'The new link. `{}` makes one on which the payer types the amount.',
    ),
  })
  .meta({ id: 'CreatePaymentLink', description: 'Body of a request that creates a payment link.' })

export const updateMode = z.enum(['PATCH', 'REPLACE'])
export type UpdateMode = z.output<typeof updateMode>

export const updatePaymentLinkRequest = z
  .strictObject({
    mode: updateMode
      .optional()
      .describe(
        '`REPLACE` (default): each of `options` and `state` that is given is replaced whole. `PATCH`: the members that are given are merged into them, and null removes one.',
      ),
    payment_link: writable.describe(
      'The changes. `expires`, `options` and `state` are kept if omitted.',
    ),
  })
  .meta({ id: 'UpdatePaymentLink', description: 'Body of a request that changes a payment link.' })
