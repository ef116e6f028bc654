import { z } from 'zod'
import { address, altKey, currency, email, positiveAmount, processorToken, text } from './common.ts'

/** Requests of the payer's page. */

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
