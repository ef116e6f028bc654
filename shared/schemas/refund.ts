import { z } from 'zod'
import { account } from './account.ts'
import { currency, instant, recordMembers, relation } from './common.ts'
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
    id: z.string().meta({
      description: 'Refund id; begins with `ref_`.',
      example: 'ref_1893499200000_6g7h8i9j0k1l2m3n',
    }),
    payment: relation(payment).meta({
      description: 'The original payment; for a capture, its authorization. Expandable.',
    }),
    amount: z.string().meta({ description: 'Amount refunded, in major units.', example: '10.00' }),
    currency: currency.meta({ description: 'Currency, always that of the payment.' }),
    reason: z.string().nullable().meta({
      description: 'Reason of the refund; null if none was given.',
      example: 'Returned',
    }),
    reference: z
      .string()
      .meta({ description: 'Unique reference for the customer.', example: '7KQM-4X9T-PWRD' }),
    source_transaction: relation(transaction).meta({
      description: 'The transaction that is refunded: that of the payment or capture. Expandable.',
    }),
    status: refundStatus.meta({
      description:
        '`SUCCESS`: refunded. `PENDING`: in progress, or to be made manually. `DECLINED`: declined. `INVALID_PAYMENT_METHOD`: the card or account no longer exists. `UNRESOLVED`: the outcome is unknown. `UNATTRIBUTED`: the processor reported a refund of an unknown payment.',
    }),
    gateway_status: gatewayStatus.nullable().meta({
      description: 'Response of the processor, `MANUAL` for a manual refund; null before it.',
    }),
    gateway_message: z
      .string()
      .nullable()
      .meta({ description: 'Why it is pending or was declined; null otherwise.' }),
    manual: z
      .boolean()
      .meta({ description: 'True if the refund is made manually and only recorded here.' }),
    offline: z
      .boolean()
      .meta({ description: 'True if you recorded a refund that was made offline.' }),
    account: relation(account).meta({
      description: 'The customer; null if unknown. Expandable.',
    }),
    parts: z
      .array(
        z.strictObject({
          charge: z.string().meta({
            description: 'Id of the charge.',
            example: 'cg_1893499200000_1b2c3d4e5f6g7h8i',
          }),
          amount: z
            .string()
            .meta({ description: 'Amount of the part, in major units.', example: '10.00' }),
        }),
      )
      .meta({ description: 'Charges that it was taken from.' }),
    processed: instant.nullable().meta({ description: 'When it was completed; null before.' }),
    ...recordMembers,
  })
  .meta({ id: 'Refund', description: 'Money given back to a customer.' })

export type Refund = z.output<typeof refund>

export const refundResponse = z.strictObject({ refund })
