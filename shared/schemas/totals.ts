import { z } from 'zod'
import { instant, recordText } from './common.ts'

const amount = (description: string, example: string) => recordText(description, example)
const count = (description: string) => z.int().meta({ description, example: 12 })

/** Sums of money of a time, in one currency. */
export const totalsRow = z
  .strictObject({
    from: instant.meta({ description: 'The beginning of the time.' }),
    to: instant.meta({ description: 'Its end, which no longer belongs to it.' }),
    currency: recordText('The currency of the sums.', 'EUR'),
    gross: amount('What payments and captures took, in major units.', '240.00'),
    captured: amount('What captures took; a part of `gross`.', '0.00'),
    refunded: amount('What refunds gave back.', '24.00'),
    reversed: amount(
      'What payers or the merchant took back at the bank or processor: disputes that are open or lost, returned debits, and refunds made there.',
      '0.00',
    ),
    net: amount('`gross` without `refunded` and `reversed`; can be negative.', '216.00'),
    payments: count('Payments that succeeded, and authorizations that hold or were captured.'),
    refunds: count('Refunds that succeeded.'),
    declines: count('Payments and authorizations that were declined.'),
  })
  .meta({ id: 'Totals', description: 'Sums of one time and one currency.' })

export type TotalsRow = z.output<typeof totalsRow>

export const totalsResponse = z.strictObject({
  totals: z.array(totalsRow).meta({ description: 'In the order of time, then of currencies.' }),
})
