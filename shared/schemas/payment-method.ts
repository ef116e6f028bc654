import { z } from 'zod'
import { account } from './account.ts'
import { consent } from './consent.ts'
import { flag, recordMembers, recordText, recordTextOrNull, relation } from './common.ts'

export const paymentMethod = z
  .strictObject({
    id: recordText('Payment method id; begins with `pm_`.', 'pm_1893499200000_4e5f6g7h8i9j0k1l'),
    account: relation(account).describe('The customer it belongs to. Expandable.'),
    type: recordText('Type: `CARD`, `DIRECT_DEBIT` or another that a processor offers.', 'CARD'),
    label: recordText('Short display name.', 'visa •••• 4242'),
    card: z
      .strictObject({
        brand: recordTextOrNull('Brand; null if unknown.', 'visa'),
        last4: recordTextOrNull('Last four digits of the number; null if unknown.', '4242'),
        exp_month: z.int().nullable().meta({
          description: 'Month in which it expires, 1 to 12; null if unknown.',
          example: 12,
        }),
        exp_year: z.int().nullable().meta({
          description: 'Year in which it expires; null if unknown.',
          example: 2030,
        }),
        funding: recordTextOrNull(
          'Funding type as reported by the processor; null if unknown.',
          'credit',
        ),
        country: recordTextOrNull(
          'Country of the issuer, ISO 3166-1 alpha-2; null if unknown.',
          'FR',
        ),
      })
      .nullable()
      .describe('The card; null for other types.'),
    bank: z
      .strictObject({
        last4: recordTextOrNull(
          'Last four characters of the account number; null if unknown.',
          '0077',
        ),
        country: recordTextOrNull(
          'Country of the bank, ISO 3166-1 alpha-2; null if unknown.',
          'GB',
        ),
      })
      .nullable()
      .describe('The bank account; null for cards.'),
    status: z
      .enum(['ACTIVE', 'EXPIRED', 'REMOVED'])
      .describe(
        '`ACTIVE`: can be used. `EXPIRED`: the month of the card is over (UTC). `REMOVED`: deleted by you or the payer.',
      ),
    reusable: flag.describe(
      'Whether it may be used again. False for a method that was stored only because one payment needed it.',
    ),
    default: flag.describe(
      'Whether it is the newest usable method of its account, the one offered first.',
    ),
    consent: consent.describe('How the payer agreed to have it stored.'),
    gateway: recordText(
      'Processor that keeps the card or account: `sandbox`, or the id of a connected one (`pr_…`).',
      'sandbox',
    ),
    fingerprint: recordText(
      'Identical for the same card or account of any payer. It identifies duplicates and cannot be charged.',
      'fp_2b7e1516',
    ),
    ...recordMembers,
  })
  .meta({
    id: 'PaymentMethod',
    description:
      'A card or bank account that a payer agreed to have stored. Nothing in it can be charged with outside of this server.',
  })

export type PaymentMethod = z.output<typeof paymentMethod>
