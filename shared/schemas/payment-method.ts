import { z } from 'zod'
import { account } from './account.ts'
import { instant, recordMembers, relation } from './common.ts'

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
      description: 'Short display name.',
      example: 'visa •••• 4242',
    }),
    card: z
      .strictObject({
        brand: z
          .string()
          .nullable()
          .meta({ description: 'Brand; null if unknown.', example: 'visa' }),
        last4: z.string().nullable().meta({
          description: 'Last four digits of the number; null if unknown.',
          example: '4242',
        }),
        exp_month: z.int().nullable().meta({
          description: 'Month in which it expires, 1 to 12; null if unknown.',
          example: 12,
        }),
        exp_year: z.int().nullable().meta({
          description: 'Year in which it expires; null if unknown.',
          example: 2030,
        }),
        funding: z.string().nullable().meta({
          description: 'Funding type as reported by the processor; null if unknown.',
          example: 'credit',
        }),
        country: z.string().nullable().meta({
          description: 'Country of the issuer, ISO 3166-1 alpha-2; null if unknown.',
          example: 'FR',
        }),
      })
      .nullable()
      .meta({ description: 'The card; null for other types.' }),
    bank: z
      .strictObject({
        last4: z.string().nullable().meta({
          description: 'Last four characters of the account number; null if unknown.',
          example: '0077',
        }),
        country: z.string().nullable().meta({
          description: 'Country of the bank, ISO 3166-1 alpha-2; null if unknown.',
          example: 'GB',
        }),
      })
      .nullable()
      .meta({ description: 'The bank account; null for cards.' }),
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
            'The consent text that the payer accepted; null if you stored the method with `POST /payments` and obtained consent yourself.',
        }),
        language: z.string().nullable().meta({
          description: 'Language of the consent text; null if there is none.',
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
        'Identical for the same card or account of any payer. It identifies duplicates and cannot be charged.',
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
