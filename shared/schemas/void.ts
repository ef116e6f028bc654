import { z } from 'zod'
import { currency, instant, recordMembers, relation } from './common.ts'
import { payment } from './payment.ts'
import { gatewayStatus, transaction } from './transaction.ts'

export const voided = z
  .strictObject({
    id: z.string().meta({
      description: 'Void id; begins with `vo_`.',
      example: 'vo_1893499200000_7h8i9j0k1l2m3n4o',
    }),
    payment: relation(payment).meta({
      description: 'The authorization that was released. Expandable.',
    }),
    transaction: relation(transaction).meta({
      description: 'The operation at the processor. Expandable.',
    }),
    amount: z.string().meta({ description: 'Amount released, in major units.', example: '24.00' }),
    currency: currency.meta({ description: 'Currency, that of the authorization.' }),
    status: z.enum(['SUCCESS', 'PENDING', 'DECLINED', 'UNRESOLVED']).meta({
      description:
        '`SUCCESS`: released. `PENDING`: in progress. `DECLINED`: declined; the amount is open again. `UNRESOLVED`: the outcome is unknown.',
    }),
    gateway_status: gatewayStatus
      .nullable()
      .meta({ description: 'Response of the processor; null before it.' }),
    gateway_message: z
      .string()
      .nullable()
      .meta({ description: 'Why the processor declined; null otherwise.' }),
    processed: instant.nullable().meta({ description: 'When the outcome was known; null before.' }),
    ...recordMembers,
  })
  .meta({ id: 'Void', description: 'A void of an authorization.' })

export type Void = z.output<typeof voided>

export const voidResponse = z.strictObject({ void: voided })
