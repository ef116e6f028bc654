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
import { gatewayStatus, transaction } from './transaction.ts'

export const voided = z
  .strictObject({
    id: recordText('Void id; begins with `vo_`.', 'vo_1893499200000_7h8i9j0k1l2m3n4o'),
    payment: relation(payment).describe('The authorization that was released. Expandable.'),
    transaction: relation(transaction).describe('The operation at the processor. Expandable.'),
    amount: recordText('Amount released, in major units.', '24.00'),
    currency: currency.describe('Currency, that of the authorization.'),
    status: z
      .enum(['SUCCESS', 'PENDING', 'DECLINED', 'UNRESOLVED'])
      .describe(
        '`SUCCESS`: released. `PENDING`: in progress. `DECLINED`: declined; the amount is open again. `UNRESOLVED`: the outcome is unknown.',
      ),
    gateway_status: gatewayStatus.nullable().describe('Response of the processor; null before it.'),
    gateway_message: recordTextOrNull('Why the processor declined; null otherwise.'),
    processed: instantOrNull.describe('When the outcome was known; null before.'),
    ...recordMembers,
  })
  .meta({ id: 'Void', description: 'A void of an authorization.' })

export type Void = z.output<typeof voided>

export const voidResponse = z.strictObject({ void: voided })
