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

/** One operation at a processor (contract section 10.3). */
export const transaction = z
  .strictObject({
    id: z.string(),
    type: z.enum(['PAYMENT', 'AUTH', 'CAPTURE', 'REFUND', 'VOID']),
    payment: z.string(),
    amount: z.string(),
    currency,
    status: z.enum(['SUCCESS', 'DECLINE', 'PENDING', 'UNRESOLVED']),
    gateway: z.string(),
    gateway_reference: z.string().nullable(),
    gateway_status: gatewayStatus.nullable(),
    gateway_message: z.string().nullable(),
    processor: z.string(),
    account: z.string().nullable(),
    contract: z.string().nullable(),
    charge: z.string().nullable(),
    payment_method: z.string().nullable(),
    processed: instant.nullable(),
    ...recordMembers,
  })
  .meta({ id: 'Transaction' })

export type Transaction = z.output<typeof transaction>
