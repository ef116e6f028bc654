import { z } from 'zod'
import {
  currency,
  instantOrNull,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
} from './common.ts'
import { payment } from './payment.ts'

export const reversalType = z.enum([
  'INQUIRY',
  'DISPUTE',
  'RETURN',
  'EXTERNAL_REFUND',
  'REFUND_FAILED',
])
export const reversalStatus = z.enum(['OPEN', 'WON', 'LOST'])

export const reversal = z
  .strictObject({
    id: recordText('Reversal id; begins with `rv_`.', 'rv_1893585600000_7h8i9j0k1l2m3n4o'),
    payment: relation(payment).describe(
      'The payment or capture whose money is taken back. Expandable.',
    ),
    refund: recordTextOrNull('Id of the refund that failed; null for other types.'),
    type: reversalType.describe(
      '`INQUIRY`: the bank asks about the payment, which may become a dispute; nothing is withdrawn, and the payment can be refunded. `DISPUTE`: the payer disputes the payment. `RETURN`: the bank returns a debit. `EXTERNAL_REFUND`: you refunded the payment at the processor. `REFUND_FAILED`: a refund that had succeeded did not arrive, so its amount can be refunded again.',
    ),
    status: reversalStatus.describe(
      '`OPEN`: the amount is withdrawn until the decision, except by an `INQUIRY`. `WON`: you have the amount. `LOST`: the payer keeps the amount.',
    ),
    amount: recordText('Amount taken back, in major units.', '24.00'),
    currency: currency.describe('Currency, always that of the payment.'),
    reason: recordTextOrNull(
      'Reason reported by the processor; null if there is none.',
      'The cardholder did not receive the goods.',
    ),
    due: instantOrNull.describe(
      'Until when the processor accepts evidence; null if it accepts none.',
    ),
    gateway_reference: recordText('Reference of the reversal at the processor.', 'sdispute_8f3a'),
    ...recordMembers,
  })
  .meta({
    id: 'Reversal',
    description:
      'Money of a payment that was taken back, such as by a dispute, or of a refund that did not arrive.',
  })

export type Reversal = z.output<typeof reversal>
