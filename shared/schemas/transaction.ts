import { z } from 'zod'
import { currency, instantOrNull, recordMembers, recordText, recordTextOrNull } from './common.ts'

export const gatewayStatus = z.enum([
  'APPROVED',
  'PENDING',
  'DECLINED',
  'DECLINED_ERROR',
  'UNRESOLVED',
  'MANUAL',
])
export type GatewayStatus = z.output<typeof gatewayStatus>

export const transaction = z
  .strictObject({
    id: recordText('Transaction id; begins with `tr_`.', 'tr_1893499200000_5f6g7h8i9j0k1l2m'),
    type: z.enum(['PAYMENT', 'AUTH', 'CAPTURE', 'REFUND', 'VOID']).describe('The operation.'),
    payment: recordText(
      'Id of the payment, capture, refund or void that it belongs to.',
      'pay_1893499200000_3d4e5f6g7h8i9j0k',
    ),
    amount: recordText('Amount in major units.', '24.00'),
    currency: currency.describe('Currency of the amount, ISO 4217.'),
    status: z
      .enum(['SUCCESS', 'DECLINE', 'PENDING', 'UNRESOLVED'])
      .describe(
        '`SUCCESS`: succeeded. `DECLINE`: declined. `PENDING`: the outcome comes later. `UNRESOLVED`: the outcome is unknown.',
      ),
    gateway: recordText('The processor.', 'sandbox'),
    gateway_reference: recordTextOrNull(
      'Reference of the operation at the processor; null if there is none.',
      'sbx_8f3a',
    ),
    gateway_status: gatewayStatus.nullable().describe('Response of the processor; null before it.'),
    gateway_message: recordTextOrNull('Why the processor declined; null otherwise.'),
    processor: recordText('The same as `gateway`.', 'sandbox'),
    account: recordTextOrNull('Id of the customer; null if unknown.'),
    contract: recordTextOrNull('Id of the contract; null if there is none.'),
    charge: recordTextOrNull('Id of the charge; null if there is none.'),
    payment_method: recordTextOrNull('Id of the stored method; null if none was used.'),
    processed: instantOrNull.describe('When the outcome was known; null before.'),
    ...recordMembers,
  })
  .meta({ id: 'Transaction', description: 'One operation at a processor.' })

export type Transaction = z.output<typeof transaction>
