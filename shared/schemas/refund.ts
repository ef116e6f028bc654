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

/** Money given back (specification: Refund; contract section 10.5). */
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
      description: 'Why it was refunded; null where nothing was said.',
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
        '`SUCCESS`: done. `PENDING`: under way, or to be done by hand. `DECLINED`: not possible. `INVALID_PAYMENT_METHOD`: the card or account no longer exists. `UNRESOLVED`: the processor has not answered. `UNATTRIBUTED`: the processor reported a refund of no known payment.',
    }),
    gateway_status: gatewayStatus.nullable().meta({
      description:
        'What the processor said, `MANUAL` where it was not asked; null before its answer.',
    }),
    gateway_message: z
      .string()
      .nullable()
      .meta({ description: 'Why it is pending or was declined; null otherwise.' }),
    manual: z
      .boolean()
      .meta({ description: 'True where the refund is made by hand, and only recorded here.' }),
    offline: z
      .boolean()
      .meta({ description: 'True where you recorded a refund that you had made another way.' }),
    account: relation(account).meta({
      description: 'The customer it is for; null where none is known. Expandable.',
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

export const refundAnswer = z.strictObject({ refund })
