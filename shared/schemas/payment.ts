import { z } from 'zod'
import { account } from './account.ts'
import { charge } from './charge.ts'
import { currency, instant, metadata, recordMembers, relation } from './common.ts'
import { contract } from './contract.ts'
import { payer } from './payer.ts'
import { paymentMethod } from './payment-method.ts'
import { gatewayStatus, transaction } from './transaction.ts'

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
    payer: payer.nullable().meta({
      description: 'What the payer typed on the payment page; null where they typed nothing.',
    }),
    payer_comment: z.string().nullable(),
    reference: z.string(),
    source: z.string(),
    channel: z.string().nullable(),
    metadata,
    account: relation(account),
    contract: relation(contract),
    charge: relation(charge),
    payment_link: z.string().nullable(),
    payment_method: relation(paymentMethod),
    transaction: relation(transaction),
    parts: z.array(z.strictObject({ charge: z.union([z.string(), charge]), amount: z.string() })),
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

export const paymentAnswer = z.strictObject({ payment })
