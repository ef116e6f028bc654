import { z } from 'zod'
import { currency, instant, recordMembers } from './common.ts'

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
    id: z.string().meta({
      description: 'Transaction id; begins with `tr_`.',
      example: 'tr_1893499200000_5f6g7h8i9j0k1l2m',
    }),
    type: z
      .enum(['PAYMENT', 'AUTH', 'CAPTURE', 'REFUND', 'VOID'])
      .meta({ description: 'The operation.' }),
    payment: z.string().meta({
      description: 'Id of the payment, capture, refund or void that it belongs to.',
      example: 'pay_1893499200000_3d4e5f6g7h8i9j0k',
    }),
    amount: z.string().meta({ description: 'Amount in major units.', example: '24.00' }),
    currency: currency.meta({ description: 'Currency of the amount, ISO 4217.' }),
    status: z.enum(['SUCCESS', 'DECLINE', 'PENDING', 'UNRESOLVED']).meta({
      description:
        '`SUCCESS`: succeeded. `DECLINE`: declined. `PENDING`: the outcome comes later. `UNRESOLVED`: the outcome is unknown.',
    }),
    gateway: z.string().meta({ description: 'The processor.', example: 'sandbox' }),
    gateway_reference: z.string().nullable().meta({
      description: 'Reference of the operation at the processor; null if there is none.',
      example: 'sbx_8f3a',
    }),
    gateway_status: gatewayStatus
      .nullable()
      .meta({ description: 'Response of the processor; null before it.' }),
    gateway_message: z
      .string()
      .nullable()
      .meta({ description: 'Why the processor declined; null otherwise.' }),
    processor: z.string().meta({ description: 'The same as `gateway`.', example: 'sandbox' }),
    account: z.string().nullable().meta({ description: 'Id of the customer; null if unknown.' }),
    contract: z
      .string()
      .nullable()
      .meta({ description: 'Id of the contract; null if there is none.' }),
    charge: z.string().nullable().meta({ description: 'Id of the charge; null if there is none.' }),
    payment_method: z
      .string()
      .nullable()
      .meta({ description: 'Id of the stored method; null if none was used.' }),
    processed: instant.nullable().meta({ description: 'When the outcome was known; null before.' }),
    ...recordMembers,
  })
  .meta({ id: 'Transaction', description: 'One operation at a processor.' })

export type Transaction = z.output<typeof transaction>
