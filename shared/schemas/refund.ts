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
    id: z.string(),
    payment: relation(payment),
    amount: z.string(),
    currency,
    reason: z.string().nullable(),
    reference: z.string(),
    source_transaction: relation(transaction),
    status: refundStatus,
    gateway_status: gatewayStatus.nullable(),
    gateway_message: z.string().nullable(),
    manual: z.boolean(),
    offline: z.boolean(),
    account: relation(account),
    parts: z.array(z.strictObject({ charge: z.string(), amount: z.string() })),
    processed: instant.nullable(),
    ...recordMembers,
  })
  .meta({ id: 'Refund' })

export type Refund = z.output<typeof refund>

export const refundAnswer = z.strictObject({ refund })
