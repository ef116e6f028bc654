import { z } from 'zod'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payment } from './payment.ts'
import { gatewayStatus, transaction } from './transaction.ts'

/** What an authorisation reserved and was let go (contract section 10.7). */
export const voided = z
  .strictObject({
    id: z.string(),
    payment: relation(payment),
    transaction: relation(transaction),
    amount: z.string(),
    currency,
    status: z.enum(['SUCCESS', 'PENDING', 'DECLINED', 'UNRESOLVED']),
    gateway_status: gatewayStatus.nullable(),
    gateway_message: z.string().nullable(),
    processed: instant.nullable(),
    ...recordMembers,
  })
  .meta({ id: 'Void' })

export type Void = z.output<typeof voided>

export const voidAnswer = z.strictObject({ void: voided })
