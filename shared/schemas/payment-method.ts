import { z } from 'zod'
import { account } from './account.ts'
import { instant, recordMembers, relation } from './common.ts'

/** Payment methods that a payer allowed to be kept (contract section 12). */
export const paymentMethod = z
  .strictObject({
    id: z.string().meta({
      description: 'Payment method id; begins with `pm_`.',
      example: 'pm_1893499200000_4e5f6g7h8i9j0k1l',
    }),
    account: relation(account).meta({ description: 'The customer it belongs to. Expandable.' }),
    type: z.string().meta({
      description: 'Type: `CARD`, `DIRECT_DEBIT` or another that a processor offers.',
      example: 'CARD',
    }),
    label: z.string().meta({
      description: 'Short name for people, which tells it from others.',
      example: 'visa •••• 4242',
    }),
    card: z
      .strictObject({
        brand: z
          .string()
          .nullable()
          .meta({ description: 'Brand; null where it is not known.', example: 'visa' }),
        last4: z.string().nullable().meta({
          description: 'Last four digits of the number; null where they are not known.',
          example: '4242',
        }),
        exp_month: z.int().nullable().meta({
          description: 'Month in which it expires, 1 to 12; null where it is not known.',
          example: 12,
        }),
        exp_year: z.int().nullable().meta({
          description: 'Year in which it expires; null where it is not known.',
          example: 2030,
        }),
        funding: z.string().nullable().meta({
          description:
            'How it is funded, in the words of the processor; null where it is not known.',
          example: 'credit',
        }),
        country: z.string().nullable().meta({
          description: 'Country of the issuer, ISO 3166-1 alpha-2; null where it is not known.',
          example: 'FR',
        }),
      })
      .nullable()
      .meta({ description: 'What is known of the card; null for other types.' }),
    bank: z
      .strictObject({
        last4: z.string().nullable().meta({
          description: 'Last four characters of the account number; null where they are not known.',
          example: '0077',
        }),
        country: z.string().nullable().meta({
          description: 'Country of the bank, ISO 3166-1 alpha-2; null where it is not known.',
          example: 'GB',
        }),
      })
      .nullable()
      .meta({ description: 'What is known of the bank account; null for cards.' }),
    status: z.enum(['ACTIVE', 'EXPIRED', 'REMOVED']).meta({
      description:
        '`ACTIVE`: can be used. `EXPIRED`: the month of the card is over (UTC). `REMOVED`: deleted by you or the payer.',
    }),
    reusable: z.boolean().meta({
      description:
        'Whether it may be used again. False for a method that was stored only because one payment needed it.',
    }),
    default: z.boolean().meta({
      description: 'Whether it is the newest usable method of its account, the one offered first.',
    }),
    consent: z
      .strictObject({
        given: z.boolean().meta({ description: 'Whether the payer agreed.' }),
        text: z.string().nullable().meta({
          description:
            'The sentence that the payer agreed to, as it was shown; null where you stored the method by `POST /payments` and asked yourself.',
        }),
        language: z.string().nullable().meta({
          description: 'Language of that sentence; null where there is none.',
          example: 'fr',
        }),
        at: instant.nullable().meta({ description: 'When the payer agreed.' }),
        checkout: z.string().nullable().meta({
          description: 'The checkout session in which that happened; null for `POST /payments`.',
        }),
      })
      .meta({ description: 'How the payer agreed to have it stored.' }),
    gateway: z
      .string()
      .meta({ description: 'Processor that keeps the card or account.', example: 'sandbox' }),
    fingerprint: z.string().meta({
      description:
        'The same for the same card or account, whoever entered it: finds duplicates. It cannot be charged with.',
      example: 'fp_2b7e1516',
    }),
    ...recordMembers,
  })
  .meta({
    id: 'PaymentMethod',
    description:
      'A card or bank account that a payer agreed to have stored. Nothing in it can be charged with outside of this server.',
  })

export type PaymentMethod = z.output<typeof paymentMethod>
