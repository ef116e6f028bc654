import { z } from 'zod'
import {
  address,
  altKey,
  currency,
  email,
  instant,
  positiveAmount,
  processorToken,
  text,
} from './common.ts'

/** What the payer's page sends and is answered (contract section 7). */

/** Which wording the page has already, so that the answer can leave it out. */
const knownWording = {
  strings_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hex' })
    .optional()
    .meta({ description: 'The `strings_hash` of the wording that the page has.' }),
  known_strings: z.enum(['FORM', 'ALL']).optional().meta({
    description:
      'How much of that wording the page has: FORM, what every document of a form carries; ALL, all of it. The answer leaves that out of `strings` where the session has the same wording, and sends its wording whole where this member is absent or the session has another.',
  }),
}

const millisecondsSince = {
  details_done: z.int().min(0).optional().meta({
    description:
      'Milliseconds since first name, last name and a valid email first stood in the form together.',
    example: 5200,
  }),
  method_chosen: z.int().min(0).optional().meta({
    description:
      'Milliseconds since the payer first chose a method, or first typed into its fields.',
    example: 3100,
  }),
}

const inQuery = (milliseconds: z.ZodOptional<z.ZodInt>) => {
  const { description, example } = milliseconds.meta() ?? {}
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number of milliseconds' })
    .transform(Number)
    .optional()
    .meta({ description, example: String(example) })
}

export const currentCheckoutQuery = z.object({
  ...knownWording,
  details_done: inQuery(millisecondsSince.details_done),
  method_chosen: inQuery(millisecondsSince.method_chosen),
})

export const openCheckoutRequest = z
  .strictObject({
    ...knownWording,
    language: z
      .string()
      .regex(/^([a-z]{2}|default)$/, { error: 'must be a two-letter code or default' })
      .optional()
      .meta({
        description:
          'Language that the payer chose: two letters, or `default`. Without one the account, then the `Accept-Language` header decide.',
        example: 'fr',
      }),
    branding: text(64).optional().meta({
      description: 'Key of the branding to show. Without one the `channel` of the link decides.',
      example: 'kids',
    }),
    embedded_origin: text(255)
      .regex(/^https?:\/\/[^/?#\s]+$/, { error: 'must be an origin such as https://shop.example' })
      .optional()
      .meta({
        description:
          'Origin of the page that embeds the checkout. It must be one of `allowed_origins` of the instance.',
        example: 'https://shop.example',
      }),
  })
  .meta({
    id: 'OpenCheckout',
    description: 'Body of the request by which the page opens a session.',
  })

/** Details that a payer types. An empty field is no detail. */
const payerDetails = z.strictObject({
  first_name: text(255).nullish().meta({ description: 'First name that the payer typed.' }),
  last_name: text(255).nullish().meta({ description: 'Last name that the payer typed.' }),
  email: email.nullish().meta({ description: 'E-mail address that the payer typed.' }),
  phone: text(64).nullish().meta({ description: 'Phone number that the payer typed.' }),
  address: address.nullish().meta({ description: 'Postal address that the payer typed.' }),
})

const securityCode = z.string().regex(/^[0-9]{3,4}$/, { error: 'must be three or four digits' })

/** A saved method by its id, or a new one by the token of its processor's browser half. */
const submittedMethod = z
  .strictObject({
    id: text(64).optional().meta({
      description: 'Id of one of `saved_methods`. It excludes `type`, `processor` and `token`.',
      example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
    }),
    csc: securityCode.optional().meta({
      description:
        'Security code of a saved card, required with one. It is handed to the processor and not stored.',
    }),
    type: z
      .string()
      .regex(/^[A-Z_]{2,32}$/, { error: 'must be a method type such as CARD' })
      .optional()
      .meta({
        description: 'Type of a new method: one of `methods`. `CARD` where it is left out.',
        example: 'CARD',
      }),
    processor: text(64).optional().meta({
      description:
        'Processor of a new method, as in `methods`. Needed only where two offer the same type.',
      example: 'sandbox',
    }),
    token: processorToken.optional().meta({
      description:
        'What the script of the processor made of the card or account that the payer typed. Not needed for methods on a page of the bank.',
      example: 'tok_4242',
    }),
  })
  .refine(
    (method) =>
      (method.id !== undefined) !== (method.type !== undefined || method.token !== undefined),
    {
      error: 'must have either the id of a saved method, or the type or token of a new one',
    },
  )

export const submitRequest = z
  .strictObject({
    attempt_key: z
      .string()
      .pipe(z.uuid({ error: 'must be a UUID' }))
      .meta({
        format: 'uuid',
        description:
          'UUID of this attempt. The same key is answered as before and never pays twice; take a new one after a final answer.',
        example: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
      }),
    options_v: z.int().min(1).meta({
      description:
        '`options_v` of the checkout that the payer saw. An older one is answered `TERMS_CHANGED`.',
    }),
    amount: positiveAmount.optional().meta({
      description:
        'Amount that the payer typed, in major units. Where the link fixes it, it must be the same.',
      example: '24.00',
    }),
    currency: currency
      .optional()
      .meta({ description: 'Currency that the payer saw. It must be that of the checkout.' }),
    alt_key: altKey.nullish().meta({
      description:
        'Reference that the payer typed; null where the payer wants none. Left out, the one of the link is taken.',
    }),
    description: text(1000).optional().meta({ description: 'Comment that the payer typed.' }),
    account: payerDetails
      .optional()
      .meta({ description: 'Details that the payer typed, where `details.needed` is true.' }),
    payment_method: submittedMethod.meta({
      description: 'How to pay: a saved method by its id, or a new one by its token.',
    }),
    save_card: z.boolean().optional().meta({
      description:
        'Whether the payer agreed to have a new method stored. Only where the checkout offers the choice.',
    }),
    proof: z
      .string()
      .regex(/^[0-9]{1,12}$/, { error: 'must be digits' })
      .optional()
      .meta({
        description:
          'Answer to the work that the header `Checkstand-Work` of a 429 response asked for.',
      }),
    milliseconds_since: z.strictObject(millisecondsSince).optional().meta({
      description: 'How long ago the payer reached what `milestones` of the session record.',
    }),
  })
  .meta({ id: 'SubmitCheckout', description: 'Body of the request by which a payer pays.' })

export type SubmitBody = z.output<typeof submitRequest>

const action = z.strictObject({
  type: z.literal('REDIRECT').meta({ description: '`REDIRECT`: the payer opens `url`.' }),
  url: z.string().meta({
    description: 'Page of the bank, where the payer confirms.',
    example: 'https://bank.example/confirm/8f3a',
  }),
  in_frame: z.boolean().optional().meta({
    description:
      'True where that page may be shown inside an embedded checkout. Left out otherwise: it needs the whole window.',
  }),
})

export const submitAnswer = z
  .strictObject({
    outcome: z
      .enum(['COMPLETED', 'PENDING', 'DECLINED', 'ACTION', 'TERMS_CHANGED', 'BUSY', 'GONE'])
      .meta({
        description:
          '`COMPLETED`: paid. `PENDING`: not known yet. `DECLINED`: not paid, and the payer may try again. `ACTION`: the bank asks for a confirmation. `TERMS_CHANGED`: the link has changed, so read the checkout again. `BUSY`: it is being paid in another window. `GONE`: the link can no longer be paid.',
      }),
    redirect: z.string().optional().meta({
      description:
        'Page of the merchant to leave for at once, with its parameters. Left out where a receipt is shown.',
      example: 'https://shop.example/thanks?payment_link=pl_1&status=COMPLETED',
    }),
    return_url: z.string().optional().meta({
      description: 'Address of the server that redirects there, and works in another browser too.',
    }),
    action: action.optional().meta({ description: 'What the payer does next, for `ACTION`.' }),
    message_id: z.string().optional().meta({
      description:
        'Id of the string that tells the payer why. Left out where there is nothing to say.',
      example: 'errors.declined',
    }),
  })
  .meta({ id: 'SubmitAnswer', description: 'What came of a submit.' })

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
      description:
        'The time by the clock of the instance when this was answered; null before a session is open.',
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
      .meta({ description: 'IANA time zone of dates; null where the browser decides.' }),
    strings_hash: z.string().meta({ description: 'SHA-256 (hex) of `strings`.' }),
    strings: z.record(z.string(), z.string()).meta({
      description:
        'The wording of the page by string ids, fixed when the session was opened, without what the page said that it has.',
    }),
    terms: z
      .strictObject({
        name: z.string().meta({
          description: 'Name of the link, or of the instance where it has none.',
          example: 'Two bags of coffee',
        }),
        intro: z
          .string()
          .nullable()
          .meta({ description: 'Introduction to show as plain text; null where there is none.' }),
        amount: z.string().nullable().meta({
          description: 'Amount in major units; null where the payer types it.',
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
          .meta({ description: 'Reference; null where there is none yet.' }),
        alt_key_editable: z
          .boolean()
          .meta({ description: 'Whether the payer may change the reference.' }),
        description: z
          .string()
          .nullable()
          .meta({ description: 'Comment; null where there is none.' }),
        description_editable: z
          .boolean()
          .meta({ description: 'Whether the payer may change the comment.' }),
        comment_allowed: z
          .boolean()
          .meta({ description: 'Whether the payer may add a comment beside the fixed one.' }),
        expires: instant.nullable().meta({
          description: 'When the link can no longer be paid; null where it does not expire.',
        }),
      })
      .meta({ description: 'What is paid, and what of it the payer may change.' }),
    details: z
      .strictObject({
        needed: z.boolean().meta({
          description: 'Whether the payer is asked at all: not where the link names an account.',
        }),
        prefill: storedDetails.meta({ description: 'What the fields hold at first.' }),
      })
      .meta({ description: 'What the checkout asks about the payer.' }),
    save_card: z
      .strictObject({
        show: z.boolean().meta({ description: 'Whether the payer has the choice.' }),
        initial: z.boolean().meta({ description: 'Whether the checkbox is ticked at first.' }),
        consent: z.boolean().meta({
          description:
            'Whether a sentence of consent is shown in place of a checkbox: the method will be stored.',
        }),
      })
      .meta({ description: 'What the checkout asks about storing a new method.' }),
    methods: z
      .array(
        z.strictObject({
          type: z.string().meta({ description: 'Type of the method.', example: 'CARD' }),
          processor: z
            .string()
            .meta({ description: 'Processor that takes it.', example: 'sandbox' }),
          storable: z
            .boolean()
            .meta({ description: 'Whether it can be stored for later payments.' }),
          token_first: z
            .boolean()
            .meta({ description: 'Whether it can be used only by storing it.' }),
          async: z.boolean().meta({
            description: 'Whether the outcome is usually known only later, as with direct debit.',
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
              'True where the payer may remove the method, because it was saved in this session.',
          }),
        }),
      )
      .meta({
        description:
          'Before the payment: stored methods of the account that the link names, where the payer is offered any. After it: the method that this session saved, until the session expires.',
      }),
    result: z
      .strictObject({
        outcome: z.enum(['COMPLETED', 'PENDING', 'CHECKING', 'DECLINED', 'ACTION', 'BUSY']).meta({
          description:
            '`CHECKING`: the processor has not answered yet, and the link cannot be paid again meanwhile. `BUSY`: it is being paid in another session. The others are as in the answer to a submit.',
        }),
        reference: z.string().nullable().meta({
          description: 'Reference of the payment for the customer; null for `BUSY`.',
          example: '7KQM-4X9T-PWRD',
        }),
        alt_key: z.string().nullable().meta({
          description:
            'Your reference of the payment, or the one that the payer typed; null where there is none.',
          example: 'order-1001',
        }),
        amount: z.string().nullable().meta({
          description: 'Amount in major units; null for `BUSY` where the payer chooses it.',
          example: '24.00',
        }),
        currency: z.string().meta({ description: 'Currency of the amount, ISO 4217.' }),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        date: instant.meta({ description: 'When the payment was decided, or else begun.' }),
        redirect: z.string().nullable().meta({
          description:
            'Page of the merchant for this outcome, with its parameters; null where there is none, and for other sessions than the one that paid.',
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
            'Sentence of the merchant for the receipt, as plain text; null for the built-in wording.',
        }),
        message_id: z.string().nullable().meta({
          description:
            'Id of the string that says why it was declined, or what is awaited; otherwise null.',
          example: 'errors.declined',
        }),
        method: z
          .strictObject({
            type: z.string().meta({ description: 'Type of the method.', example: 'CARD' }),
            brand: z.string().nullable().meta({
              description: 'Brand of the card; null where it is not known.',
              example: 'visa',
            }),
            last4: z.string().nullable().meta({
              description: 'Last four characters of its number; null where they are not known.',
              example: '4242',
            }),
          })
          .nullable()
          .meta({ description: 'What was paid with, for the session that paid; otherwise null.' }),
        action: action
          .nullable()
          .meta({ description: 'What the payer does next, for `ACTION`; otherwise null.' }),
      })
      .nullable()
      .meta({ description: 'What came of paying; null before the first attempt.' }),
  })
  .meta({ id: 'Checkout', description: 'What the page shows the payer.' })

export const openCheckoutAnswer = z.strictObject({
  token: z.string().meta({
    description: 'Bearer token of the session, for all further calls. It is told only here.',
    example: 'ckt_1893499200000_8i9j0k1l2m3n4o5p_k3Jx9',
  }),
  checkout: checkoutView,
})
export const currentCheckoutAnswer = z.strictObject({ checkout: checkoutView })
