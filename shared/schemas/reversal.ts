import { z } from 'zod'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payment } from './payment.ts'

export const reversalType = z.enum(['DISPUTE', 'RETURN', 'EXTERNAL_REFUND', 'REFUND_FAILED'])
export const reversalStatus = z.enum(['OPEN', 'WON', 'LOST'])

export const reversal = z
  .strictObject({
    id: z.string().meta({
      description: 'Reversal id; begins with `rv_`.',
      example: 'rv_1893585600000_7h8i9j0k1l2m3n4o',
    }),
    payment: relation(payment).meta({
      description: 'The payment or capture whose money is taken back. Expandable.',
    }),
    type: reversalType.meta({
      description:
        '`DISPUTE`: the payer disputes the payment. `RETURN`: the bank returns a debit. `EXTERNAL_REFUND`: you refunded the payment at the processor. `REFUND_FAILED`: a refund that had succeeded did not arrive, so its amount can be refunded again.',
    }),
    status: reversalStatus.meta({
      description:
        '`OPEN`: the amount is withdrawn until the decision. `WON`: the amount was returned to you. `LOST`: the payer keeps the amount.',
    }),
    amount: z
      .string()
      .meta({ description: 'Amount taken back, in major units.', example: '24.00' }),
    currency: currency.meta({ description: 'Currency, always that of the payment.' }),
    reason: z.string().nullable().meta({
      description: 'Reason reported by the processor; null if there is none.',
      example: 'The cardholder did not receive the goods.',
    }),
    due: instant.nullable().meta({
      description: 'Until when the processor accepts evidence; null if it accepts none.',
    }),
    gateway_reference: z.string().meta({
      description: 'Reference of the reversal at the processor.',
      example: 'sdispute_8f3a',
    }),
    ...recordMembers,
  })
  .meta({
    id: 'Reversal',
    description: 'A dispute: the payer or their bank takes back money of a payment.',
  })

export type Reversal = z.output<typeof reversal>
