import { z } from 'zod'
import { QUANTITY_MAX } from '../rules/amount-choice.ts'
import { address, altKey, currency, email, positiveAmount, processorToken, text } from './common.ts'

/** Requests of the payer's page. */

/** The strings that the page already has, so that the response can omit them. */
const knownWording = {
  strings_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hex' })
    .optional()
    .describe('The `strings_hash` of the strings that the page has.'),
  known_strings: z
    .enum(['FORM', 'ALL'])
    .optional()
    .describe(
      'How many of those strings the page has: FORM, those in every page with a form; ALL, all of them. If the session has the same `strings_hash`, the response omits them from `strings`; otherwise it contains all strings.',
    ),
}

const millisecondsSince = {
  details_done: z.int().min(0).optional().meta({
    description:
      'Milliseconds since first name, last name and a valid email were first all present in the form.',
    example: 5200,
  }),
  method_chosen: z.int().min(0).optional().meta({
    description:
      'Milliseconds since the payer first chose a method or entered something into its fields.',
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

/** An empty member is treated as absent. */
const payerDetails = z.strictObject({
  first_name: text(255).nullish().describe('First name that the payer entered.'),
  last_name: text(255).nullish().describe('Last name that the payer entered.'),
  email: email.nullish().describe('E-mail address that the payer entered.'),
  phone: text(64).nullish().describe('Phone number that the payer entered.'),
  address: address.nullish().describe('Postal address that the payer entered.'),
})

const securityCode = z.string().regex(/^[0-9]{3,4}$/, { error: 'must be three or four digits' })

/** A saved method by its id, or a new one by its token. */
const submittedMethod = z
  .strictObject({
    id: text(64).optional().meta({
      description: 'Id of one of `saved_methods`. It excludes `type`, `processor` and `token`.',
      example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
    }),
    csc: securityCode
      .optional()
      .describe(
        'Security code of a saved card, required with one unless its `csc` says otherwise. It is handed to the processor and not stored.',
      ),
    csc_token: processorToken.optional().meta({
      description:
        "Token that the processor's script created from the security code of a saved card; required with a card whose `csc` is TOKEN. It is handed to the processor and not stored.",
      example: 'cvctok_1893',
    }),
    type: z
      .string()
      .regex(/^[A-Z_]{2,32}$/, { error: 'must be a method type such as CARD' })
      .optional()
      .meta({
        description: 'Type of a new method, one of `methods`; `CARD` if omitted.',
        example: 'CARD',
      }),
    processor: text(64).optional().meta({
      description:
        'Processor of a new method, as in `methods`. Required only if two processors offer the type.',
      example: 'sandbox',
    }),
    token: processorToken.optional().meta({
      description:
        "Token that the processor's script created from the card or account. Not required for methods that redirect to a bank.",
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
          'UUID of this attempt. A repeated key returns the first response and never pays twice; use a new one after a final outcome.',
        example: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
      }),
    options_v: z
      .int()
      .min(1)
      .describe(
        '`options_v` of the checkout that the payer saw. An older version returns `TERMS_CHANGED`.',
      ),
    amount: positiveAmount.optional().meta({
      description:
        'Amount that the payer entered, in major units. If the link fixes the amount, it must be the same.',
      example: '24.00',
    }),
    quantity: z.int().min(1).max(QUANTITY_MAX).optional().meta({
      description:
        'How many the payer chose. Required if the link asks for a quantity; `amount`, if it is sent too, must be the product.',
      example: 3,
    }),
    currency: currency
      .optional()
      .describe('Currency that the payer saw. It must be that of the checkout.'),
    alt_key: altKey
      .nullish()
      .describe(
        'Reference that the payer entered; null for none. If omitted, the reference of the link applies.',
      ),
    description: text(1000).optional().describe('Comment that the payer entered.'),
    account: payerDetails
      .optional()
      .describe('Details that the payer entered. Used if `details.needed` is true.'),
    payment_method: submittedMethod.describe(
      'How to pay: a saved method by its id, or a new one by its token.',
    ),
    save_card: z
      .boolean()
      .optional()
      .describe(
        'Whether the payer consented to storing a new method. Allowed only if the checkout offers the choice.',
      ),
    proof: z
      .string()
      .regex(/^[0-9]{1,12}$/, { error: 'must be digits' })
      .optional()
      .describe(
        'Proof of work for the challenge in the header `Checkstand-Work` of a 429 response.',
      ),
    milliseconds_since: z
      .strictObject(millisecondsSince)
      .optional()
      .describe('How long ago the payer reached the `milestones` of the session.'),
  })
  .meta({ id: 'SubmitCheckout', description: 'Body of the request by which a payer pays.' })

export type SubmitBody = z.output<typeof submitRequest>
