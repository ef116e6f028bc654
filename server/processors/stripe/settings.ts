import { z } from 'zod'
import { STRIPE_CURRENCIES } from './amounts.ts'
import { STRIPE_TYPES, type MethodType } from './details.ts'

const TYPES = Object.keys(STRIPE_TYPES) as [MethodType, ...MethodType[]]

/** What a merchant chooses for a connection to Stripe. */
export const stripeSettings = z
  .strictObject({
    methods: z
      .array(z.enum(TYPES))
      .min(1)
      .default(['CARD'])
      .meta({ description: 'Types of payment methods that payers are offered.' }),
    currencies: z
      .array(z.enum(STRIPE_CURRENCIES as [string, ...string[]]))
      .min(1)
      .nullable()
      .default(null)
      .meta({ description: 'Currencies that are charged; null for all that Stripe charges.' }),
    statement_suffix: z
      .string()
      .regex(/^(?=.*[A-Za-z])[ -~]{1,22}$/)
      .regex(/^[^<>\\'"*]+$/)
      .optional()
      .meta({ description: 'What the statement of the payer adds to the name of your account.' }),
    saved_csc: z.enum(['ASK', 'NONE']).default('ASK').meta({
      description: '`ASK`: a payer enters the security code of a saved card. `NONE`: not.',
    }),
    request_three_d_secure: z.enum(['automatic', 'any', 'challenge']).default('automatic').meta({
      description: 'When the payer confirms at their bank, as in the API of Stripe.',
    }),
    account: z
      .string()
      .regex(/^acct_[A-Za-z0-9]+$/)
      .optional()
      .meta({ description: 'A connected account that is charged instead of that of the key.' }),
    on_behalf_of: z
      .string()
      .regex(/^acct_[A-Za-z0-9]+$/)
      .optional()
      .meta({ description: 'A connected account that is the merchant of record.' }),
    refund_late: z.boolean().default(true).meta({
      description: 'Whether money that arrives after a decline is refunded.',
    }),
  })
  .meta({ id: 'StripeSettings', description: 'Settings of a connection to Stripe.' })

export type StripeSettings = z.output<typeof stripeSettings>
