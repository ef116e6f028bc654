import { z } from 'zod'
import { address, altKey, currency, email, instant, positiveAmount } from './common.ts'
import { processorToken, text } from './common.ts'

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

const inQuery = (milliseconds: z.ZodOptional<z.ZodInt>) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number of milliseconds' })
    .transform(Number)
    .optional()
    .meta(milliseconds.meta() ?? {})

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
      .optional(),
    branding: text(64).optional(),
    embedded_origin: text(255)
      .regex(/^https?:\/\/[^/?#\s]+$/, { error: 'must be an origin such as https://shop.example' })
      .optional(),
  })
  .meta({ id: 'OpenCheckout' })

/** Details that a payer types. An empty field is no detail. */
const payerDetails = z.strictObject({
  first_name: text(255).nullish(),
  last_name: text(255).nullish(),
  email: email.nullish(),
  phone: text(64).nullish(),
  address: address.nullish(),
})

const securityCode = z.string().regex(/^[0-9]{3,4}$/, { error: 'must be three or four digits' })

/** A saved method by its id, or a new one by the token of its processor's browser half. */
const submittedMethod = z
  .strictObject({
    id: text(64).optional(),
    csc: securityCode.optional(),
    type: z
      .string()
      .regex(/^[A-Z_]{2,32}$/, { error: 'must be a method type such as CARD' })
      .optional(),
    processor: text(64).optional(),
    token: processorToken.optional(),
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
    attempt_key: z.string().pipe(z.uuid({ error: 'must be a UUID' })),
    options_v: z.int().min(1),
    amount: positiveAmount.optional(),
    currency: currency.optional(),
    alt_key: altKey.nullish().meta({ description: 'null where the payer wants none.' }),
    description: text(1000).optional(),
    account: payerDetails.optional(),
    payment_method: submittedMethod,
    save_card: z.boolean().optional(),
    proof: z
      .string()
      .regex(/^[0-9]{1,12}$/, { error: 'must be digits' })
      .optional()
      .meta({ description: 'The work that the header Checkstand-Work of a 429 answer asked for.' }),
    milliseconds_since: z.strictObject(millisecondsSince).optional().meta({
      description: 'How long ago the payer reached what `milestones` of the session record.',
    }),
  })
  .meta({ id: 'SubmitCheckout' })

export type SubmitBody = z.output<typeof submitRequest>

const action = z.strictObject({
  type: z.literal('REDIRECT'),
  url: z.string(),
  in_frame: z.boolean().optional(),
})

export const submitAnswer = z
  .strictObject({
    outcome: z.enum([
      'COMPLETED',
      'PENDING',
      'DECLINED',
      'ACTION',
      'TERMS_CHANGED',
      'BUSY',
      'GONE',
    ]),
    redirect: z.string().optional(),
    return_url: z.string().optional(),
    action: action.optional(),
    message_id: z.string().optional(),
  })
  .meta({ id: 'SubmitAnswer' })

const storedDetails = z.strictObject({
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  address: z.record(z.string(), z.string()).optional(),
})

export const checkoutView = z
  .strictObject({
    id: z.string().nullable(),
    payment_link: z.string().nullable(),
    merchant: z.string(),
    status: z.enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED']),
    options_v: z.int(),
    expires: instant.nullable(),
    language: z.string(),
    direction: z.enum(['ltr', 'rtl']),
    branding: z.string().nullable(),
    timezone: z.string().nullable(),
    strings_hash: z.string(),
    strings: z.record(z.string(), z.string()).meta({
      description: 'The wording by its ids, without what the page said that it has.',
    }),
    terms: z.strictObject({
      name: z.string(),
      intro: z.string().nullable(),
      amount: z.string().nullable(),
      amount_editable: z.boolean(),
      currency,
      currency_digits: z.int(),
      alt_key: z.string().nullable(),
      alt_key_editable: z.boolean(),
      description: z.string().nullable(),
      description_editable: z.boolean(),
      comment_allowed: z.boolean(),
      expires: instant.nullable(),
    }),
    details: z.strictObject({ needed: z.boolean(), prefill: storedDetails }),
    save_card: z.strictObject({
      show: z.boolean(),
      initial: z.boolean(),
      consent: z.boolean(),
    }),
    methods: z.array(
      z.strictObject({
        type: z.string(),
        processor: z.string(),
        storable: z.boolean(),
        token_first: z.boolean(),
        async: z.boolean(),
      }),
    ),
    saved_methods: z.array(
      z.strictObject({
        id: z.string(),
        type: z.string(),
        brand: z.string().nullable(),
        last4: z.string().nullable(),
        exp_month: z.int().nullable(),
        exp_year: z.int().nullable(),
      }),
    ),
    result: z
      .strictObject({
        outcome: z.enum(['COMPLETED', 'PENDING', 'CHECKING', 'DECLINED', 'ACTION', 'BUSY']),
        reference: z.string().nullable(),
        alt_key: z.string().nullable().meta({
          description: "The merchant's or the payer's own reference that the payment carries.",
        }),
        amount: z.string().nullable(),
        currency: z.string(),
        currency_digits: z.int(),
        date: instant,
        redirect: z.string().nullable(),
        transaction: z.string().nullable(),
        account: z.string().nullable(),
        skip_receipt: z.boolean(),
        message: z.string().nullable(),
        message_id: z.string().nullable(),
        method: z
          .strictObject({
            type: z.string(),
            brand: z.string().nullable(),
            last4: z.string().nullable(),
          })
          .nullable(),
        action: action.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Checkout' })

export const openCheckoutAnswer = z.strictObject({ token: z.string(), checkout: checkoutView })
export const currentCheckoutAnswer = z.strictObject({ checkout: checkoutView })
