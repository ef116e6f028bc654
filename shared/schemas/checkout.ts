import { z } from 'zod'
import { currency, instant } from './common.ts'

/** Responses to the payer's page. */

const action = z.strictObject({
  type: z.literal('REDIRECT').meta({ description: '`REDIRECT`: the payer opens `url`.' }),
  url: z.string().meta({
    description: 'Confirmation page of the bank.',
    example: 'https://bank.example/confirm/8f3a',
  }),
  in_frame: z.boolean().optional().meta({
    description:
      'True if that page may be shown inside an embedded checkout; omitted if it needs the whole window.',
  }),
})

export const submitResponse = z
  .strictObject({
    outcome: z
      .enum(['COMPLETED', 'PENDING', 'DECLINED', 'ACTION', 'TERMS_CHANGED', 'BUSY', 'GONE'])
      .meta({
        description:
          '`COMPLETED`: paid. `PENDING`: the outcome comes later. `DECLINED`: declined; the payer may try again. `ACTION`: the bank requires a confirmation. `TERMS_CHANGED`: the link has changed; read the checkout again. `BUSY`: the link is being paid in another window. `GONE`: the link can no longer be paid.',
      }),
    redirect: z.string().optional().meta({
      description:
        'URL to which the page redirects at once, with its parameters. Omitted if a receipt is shown.',
      example: 'https://shop.example/thanks?payment_link=pl_1&status=COMPLETED',
    }),
    return_url: z.string().optional().meta({
      description: 'Address of the server that redirects there, and works in another browser too.',
    }),
    action: action.optional().meta({ description: 'The next action of the payer, for `ACTION`.' }),
    message_id: z.string().optional().meta({
      description:
        'Id of the string that explains the outcome to the payer. Omitted if there is none.',
      example: 'errors.declined',
    }),
  })
  .meta({ id: 'SubmitAnswer', description: 'The result of a submit.' })

const storedDetails = z.strictObject({
  first_name: z
    .string()
    .optional()
    .meta({ description: 'First name from the options of the link.' }),
  last_name: z.string().optional().meta({ description: 'Last name from the options of the link.' }),
  email: z
    .string()
    .optional()
    .meta({ description: 'E-mail address from the options of the link.' }),
  phone: z.string().optional().meta({ description: 'Phone number from the options of the link.' }),
  address: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Lines of the address from the options of the link, by their names.' }),
})

export const checkoutView = z
  .strictObject({
    id: z.string().nullable().meta({
      description: 'Checkout session id; begins with `ck_`.',
      example: 'ck_1893499200000_8i9j0k1l2m3n4o5p',
    }),
    now: instant.nullable().meta({
      description: 'Current time by the clock of the instance; null before a session is open.',
    }),
    payment_link: z.string().nullable().meta({ description: 'Id of the payment link.' }),
    merchant: z.string().meta({
      description: 'Name of the merchant or branding, fixed when the session was opened.',
      example: 'Corner Shop',
    }),
    status: z.enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED']).meta({
      description:
        'As in the record of the session; a link that was paid elsewhere is `COMPLETED` or `PENDING` here too.',
    }),
    options_v: z.int().meta({
      description: 'Version of the options that the checkout shows, to be sent with a payment.',
    }),
    expires: instant
      .nullable()
      .meta({ description: 'When the session ends; null before it is opened.' }),
    language: z
      .string()
      .meta({ description: 'Language of `strings`: two letters, or `default`.', example: 'fr' }),
    direction: z
      .enum(['ltr', 'rtl'])
      .meta({ description: 'Direction in which that language is written.' }),
    branding: z
      .string()
      .nullable()
      .meta({ description: 'Key of the branding; null for the look of the instance itself.' }),
    timezone: z
      .string()
      .nullable()
      .meta({ description: 'IANA time zone of dates; null if the browser decides.' }),
    strings_hash: z.string().meta({ description: 'SHA-256 (hex) of `strings`.' }),
    strings: z.record(z.string(), z.string()).meta({
      description:
        'Strings of the page by id, fixed when the session was opened, without those that the page already has (`known_strings`).',
    }),
    terms: z
      .strictObject({
        name: z.string().meta({
          description: 'Name of the link, or of the instance if the link has none.',
          example: 'Two bags of coffee',
        }),
        intro: z
          .string()
          .nullable()
          .meta({ description: 'Introduction to show as plain text; null if there is none.' }),
        amount: z.string().nullable().meta({
          description: 'Amount in major units; null if the payer types it.',
          example: '24.00',
        }),
        amount_editable: z
          .boolean()
          .meta({ description: 'Whether the payer may change the amount.' }),
        currency: currency.meta({ description: 'Currency of the amount, ISO 4217.' }),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        alt_key: z
          .string()
          .nullable()
          .meta({ description: 'Reference; null if there is none yet.' }),
        alt_key_editable: z
          .boolean()
          .meta({ description: 'Whether the payer may change the reference.' }),
        description: z.string().nullable().meta({ description: 'Comment; null if there is none.' }),
        description_editable: z
          .boolean()
          .meta({ description: 'Whether the payer may change the comment.' }),
        comment_allowed: z
          .boolean()
          .meta({ description: 'Whether the payer may add a comment beside the fixed one.' }),
        expires: instant.nullable().meta({
          description: 'When the link expires; null if it does not expire.',
        }),
      })
      .meta({ description: 'The terms of the payment and which of them the payer may change.' }),
    details: z
      .strictObject({
        needed: z.boolean().meta({
          description: 'Whether details are requested; false if the link names an account.',
        }),
        prefill: storedDetails.meta({ description: 'Initial values of the fields.' }),
      })
      .meta({ description: 'Which details of the payer are requested.' }),
    save_card: z
      .strictObject({
        show: z.boolean().meta({ description: 'Whether the payer has the choice.' }),
        initial: z.boolean().meta({ description: 'Whether the checkbox is ticked at first.' }),
        consent: z.boolean().meta({
          description:
            'Whether a sentence of consent is shown in place of a checkbox: the method will be stored.',
        }),
      })
      .meta({ description: 'The choice to store a new method.' }),
    methods: z
      .array(
        z.strictObject({
          type: z.string().meta({ description: 'Type of the method.', example: 'CARD' }),
          processor: z
            .string()
            .meta({ description: 'Processor of the method.', example: 'sandbox' }),
          storable: z
            .boolean()
            .meta({ description: 'Whether it can be stored for later payments.' }),
          token_first: z
            .boolean()
            .meta({ description: 'Whether it can be used only by storing it.' }),
          async: z.boolean().meta({
            description: 'Whether the outcome is usually known later, as with direct debit.',
          }),
        }),
      )
      .meta({
        description:
          'New methods that the payer can use. Empty once the link is paid or being paid.',
      }),
    saved_methods: z
      .array(
        z.strictObject({
          id: z.string().meta({
            description: 'Payment method id; begins with `pm_`.',
            example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
          }),
          type: z.string().meta({ description: 'Type of the method.', example: 'CARD' }),
          brand: z
            .string()
            .nullable()
            .meta({ description: 'Brand of the card; null for other methods.', example: 'visa' }),
          last4: z
            .string()
            .nullable()
            .meta({ description: 'Last four characters of its number.', example: '4242' }),
          exp_month: z.int().nullable().meta({
            description: 'Month in which the card expires, 1 to 12; null for other methods.',
            example: 12,
          }),
          exp_year: z.int().nullable().meta({
            description: 'Year in which the card expires; null for other methods.',
            example: 2030,
          }),
          removable: z.boolean().optional().meta({
            description:
              'True if the payer may remove the method, because it was saved in this session.',
          }),
        }),
      )
      .meta({
        description:
          "Before the payment: the stored methods of the link's account that are offered. After the payment: the method saved in this session, until the session expires.",
      }),
    result: z
      .strictObject({
        outcome: z.enum(['COMPLETED', 'PENDING', 'CHECKING', 'DECLINED', 'ACTION', 'BUSY']).meta({
          description:
            '`CHECKING`: the outcome is unknown, and the link cannot be paid meanwhile. `BUSY`: the link is being paid in another session. The others are as in the response to a submit.',
        }),
        reference: z.string().nullable().meta({
          description: 'Reference of the payment for the customer; null for `BUSY`.',
          example: '7KQM-4X9T-PWRD',
        }),
        alt_key: z.string().nullable().meta({
          description:
            'Your reference of the payment, or the one that the payer entered; null if there is none.',
          example: 'order-1001',
        }),
        amount: z.string().nullable().meta({
          description: 'Amount in major units; null for `BUSY` if the payer chooses it.',
          example: '24.00',
        }),
        currency: z.string().meta({ description: 'Currency of the amount, ISO 4217.' }),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        date: instant.meta({ description: 'When the payment was decided, or else begun.' }),
        redirect: z.string().nullable().meta({
          description:
            'Page of the merchant for this outcome, with its parameters; null if there is none, and for other sessions than the one that paid.',
        }),
        transaction: z.string().nullable().meta({
          description: 'Id of the transaction, for the session that paid; otherwise null.',
        }),
        account: z
          .string()
          .nullable()
          .meta({ description: 'Id of the account, for the session that paid; otherwise null.' }),
        skip_receipt: z
          .boolean()
          .meta({ description: 'Whether the payer leaves for `redirect` without a receipt.' }),
        message: z.string().nullable().meta({
          description:
            'Text of the merchant for the receipt, as plain text; null for the built-in text.',
        }),
        message_id: z.string().nullable().meta({
          description:
            'Id of the string for the decline reason or the pending action; otherwise null.',
          example: 'errors.declined',
        }),
        method: z
          .strictObject({
            type: z.string().meta({ description: 'Type of the method.', example: 'CARD' }),
            brand: z.string().nullable().meta({
              description: 'Brand of the card; null if unknown.',
              example: 'visa',
            }),
            last4: z.string().nullable().meta({
              description: 'Last four characters of its number; null if unknown.',
              example: '4242',
            }),
          })
          .nullable()
          .meta({ description: 'The method used, for the session that paid; otherwise null.' }),
        action: action
          .nullable()
          .meta({ description: 'The next action of the payer, for `ACTION`; otherwise null.' }),
      })
      .nullable()
      .meta({ description: 'The result of the payment; null before the first attempt.' }),
  })
  .meta({ id: 'Checkout', description: 'The content of the payment page.' })

export const openCheckoutResponse = z.strictObject({
  token: z.string().meta({
    description: 'Bearer token of the session for all further requests. It is returned only here.',
    example: 'ckt_1893499200000_8i9j0k1l2m3n4o5p_k3Jx9',
  }),
  checkout: checkoutView,
})
export const currentCheckoutResponse = z.strictObject({ checkout: checkoutView })
