import { z } from 'zod'
import { currency, instant, metadata, recordMembers } from './common.ts'
import { gatewayStatus } from './transaction.ts'

/** Payments, authorisations and captures: one record (contract section 10.2). */
export const payment = z
  .strictObject({
    id: z.string(),
    type: z.enum(['PAYMENT', 'AUTH', 'CAPTURE']),
    status: z.enum([
      'SUCCESS',
      'DECLINE',
      'PENDING',
      'SCHEDULED',
      'UNRESOLVED',
      'VOIDED',
      'CANCELLED',
    ]),
    amount: z.string(),
    currency,
    captured_amount: z.string().nullable(),
    open_amount: z.string().nullable(),
    refunded_amount: z.string().nullable(),
    refundable_amount: z.string().nullable(),
    authorisation: z.string().nullable(),
    alt_key: z.string().nullable(),
    description: z.string().nullable(),
    payer_comment: z.string().nullable(),
    reference: z.string(),
    source: z.string(),
    channel: z.string().nullable(),
    metadata,
    account: z.string().nullable(),
    contract: z.string().nullable(),
    charge: z.string().nullable(),
    payment_link: z.string().nullable(),
    payment_method: z.string().nullable(),
    transaction: z.string().nullable(),
    parts: z.array(z.strictObject({ charge: z.string(), amount: z.string() })),
    gateway_status: gatewayStatus.nullable(),
    gateway_message: z.string().nullable(),
    gateway_reference: z.string().nullable(),
    three_ds: z
      .strictObject({
        status: z.enum(['NONE', 'FRICTIONLESS', 'CHALLENGED', 'FAILED']),
        liability_shift: z.boolean(),
      })
      .nullable(),
    due: instant.nullable(),
    processed: instant.nullable(),
    ...recordMembers,
  })
  .meta({ id: 'Payment' })

export type Payment = z.output<typeof payment>
