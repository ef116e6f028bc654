import { z } from 'zod'
import { account } from './account.ts'
import {
  currency,
  flag,
  instantOrNull,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
} from './common.ts'
import { legalEntity } from './legal-entity.ts'
import { payment } from './payment.ts'
import { gatewayStatus, transaction } from './transaction.ts'

export const refundStatus = z.enum([
  'SUCCESS',
  'PENDING',
  'DECLINED',
  'INVALID_PAYMENT_METHOD',
  'UNRESOLVED',
  'UNATTRIBUTED',
])

export const refund = z
  .strictObject({
    id: recordText('Refund id; begins with `ref_`.', 'ref_1893499200000_6g7h8i9j0k1l2m3n'),
    legal_entity: relation(legalEntity).describe(
      'The legal entity of the payment; null while the instance has no legal entities. Expandable.',
    ),
    payment: relation(payment).describe(
      'The original payment; for a capture, its authorization. Expandable.',
    ),
    amount: recordText('Amount refunded, in major units.', '10.00'),
    currency: currency.describe('Currency, always that of the payment.'),
    reason: recordTextOrNull('Reason of the refund; null if none was given.', 'Returned'),
    reference: recordText('Unique reference for the customer.', '7KQM-4X9T-PWRD'),
    source_transaction: relation(transaction).describe(
      'The transaction that is refunded: that of the payment or capture. Expandable.',
    ),
    status: refundStatus.describe(
      '`SUCCESS`: refunded. `PENDING`: in progress, or to be made manually. `DECLINED`: declined. `INVALID_PAYMENT_METHOD`: the card or account no longer exists. `UNRESOLVED`: the outcome is unknown. `UNATTRIBUTED`: the processor reported a refund of an unknown payment.',
    ),
    gateway_status: gatewayStatus
      .nullable()
      .describe('Response of the processor, `MANUAL` for a manual refund; null before it.'),
    gateway_message: recordTextOrNull('Why it is pending or was declined; null otherwise.'),
    manual: flag.describe('True if the refund is made manually and only recorded here.'),
    offline: flag.describe('True if you recorded a refund that was made offline.'),
    failed_later: flag.describe(
      'True if the money came back after `SUCCESS`. Its amount can be refunded again.',
    ),
    account: relation(account).describe('The customer; null if unknown. Expandable.'),
    parts: z
      .array(
        z.strictObject({
          charge: recordText('Id of the charge.', 'cg_1893499200000_1b2c3d4e5f6g7h8i'),
          amount: recordText('Amount of the part, in major units.', '10.00'),
        }),
      )
      .describe('Charges that it was taken from.'),
    processed: instantOrNull.describe('When it was completed; null before.'),
    ...recordMembers,
  })
  .meta({ id: 'Refund', description: 'Money given back to a customer.' })

export type Refund = z.output<typeof refund>

export const refundResponse = z.strictObject({ refund })
