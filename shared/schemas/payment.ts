import { z } from 'zod'
import { account } from './account.ts'
import { charge } from './charge.ts'
import { currency, instant, metadata, recordMembers, relation } from './common.ts'
import { contract } from './contract.ts'
import { payer } from './payer.ts'
import { paymentMethod } from './payment-method.ts'
import { gatewayStatus, transaction } from './transaction.ts'

/** Payments, authorizations and captures, which share one schema. */
export const payment = z
  .strictObject({
    id: z.string().meta({
      description: 'Payment id; begins with `pay_`, for a capture with `ca_`.',
      example: 'pay_1893499200000_3d4e5f6g7h8i9j0k',
    }),
    type: z.enum(['PAYMENT', 'AUTH', 'CAPTURE']).meta({
      description:
        '`PAYMENT`: charged at once. `AUTH`: authorized. `CAPTURE`: captured from an authorization.',
    }),
    status: z
      .enum(['SUCCESS', 'DECLINE', 'PENDING', 'SCHEDULED', 'UNRESOLVED', 'VOIDED', 'CANCELLED'])
      .meta({
        description:
          '`SUCCESS`: charged, or authorized for `AUTH`. `DECLINE`: declined. `PENDING`: the outcome comes later. `SCHEDULED`: due later. `UNRESOLVED`: the outcome is unknown, and the server keeps querying the processor. `VOIDED`: an authorization that was voided. `CANCELLED`: canceled before it was charged.',
      }),
    amount: z.string().meta({ description: 'Amount in major units.', example: '24.00' }),
    currency: currency.meta({ description: 'Currency of all amounts of the payment, ISO 4217.' }),
    captured_amount: z.string().nullable().meta({
      description:
        'Amount of an authorization that is captured or being captured; null for other types.',
      example: '0.00',
    }),
    open_amount: z.string().nullable().meta({
      description:
        'Amount of an authorization that can still be captured, zero once it has expired; null for other types.',
      example: '24.00',
    }),
    refunded_amount: z.string().nullable().meta({
      description: 'Amount refunded or being refunded; null for an authorization.',
      example: '0.00',
    }),
    disputed_amount: z.string().nullable().meta({
      description: 'Amount withdrawn by open and lost disputes; null for an authorization.',
      example: '0.00',
    }),
    refundable_amount: z.string().nullable().meta({
      description:
        'Amount that can still be refunded: neither refunded nor disputed; null for an authorization.',
      example: '24.00',
    }),
    authorisation: z
      .string()
      .nullable()
      .meta({ description: 'Id of the authorization that a capture is of; otherwise null.' }),
    alt_key: z
      .string()
      .nullable()
      .meta({ description: 'Your reference; null if there is none.', example: 'order-1001' }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description of the payment; null if there is none.' }),
    payer: payer.nullable().meta({
      description: 'Details that the payer entered on the payment page; null if none.',
    }),
    payer_comment: z.string().nullable().meta({
      description: 'Comment that the payer added to a fixed one; null if none.',
    }),
    reference: z.string().meta({
      description: 'Unique reference for the customer, as on the receipt.',
      example: '7KQM-4X9T-PWRD',
    }),
    source: z.string().meta({
      description: 'Where the payment came from: `ECOMMERCE`, `MOTO` or `RECURRING`.',
      example: 'ECOMMERCE',
    }),
    channel: z.string().nullable().meta({
      description: 'Sales channel of the link or request; null if there is none.',
      example: 'web',
    }),
    metadata: metadata.meta({
      description: 'Your own key-value pairs; `{}` if there are none.',
    }),
    account: relation(account).meta({
      description: 'The customer who pays; null if unknown. Expandable.',
    }),
    contract: relation(contract).meta({
      description: 'The contract that the payment is for; null if there is none. Expandable.',
    }),
    charge: relation(charge).meta({
      description:
        'The charge that its schedule or contract made; null if there is none. Expandable.',
    }),
    payment_link: z.string().nullable().meta({
      description: 'Id of the payment link that it was paid on; null if there is none.',
    }),
    payment_method: relation(paymentMethod).meta({
      description: 'The stored method that was used or created; null if there is none. Expandable.',
    }),
    transaction: relation(transaction).meta({
      description:
        'The operation at the processor; null for a payment that is due later. Expandable.',
    }),
    parts: z
      .array(
        z.strictObject({
          charge: z.union([z.string(), charge]).meta({
            description: 'The charge: its id, or the record if expanded.',
          }),
          amount: z
            .string()
            .meta({ description: 'Amount of the part, in major units.', example: '24.00' }),
        }),
      )
      .meta({ description: 'Charges that the payment is for. Expandable.' }),
    gateway_status: gatewayStatus
      .nullable()
      .meta({ description: 'Response of the processor; null before the request.' }),
    gateway_message: z.string().nullable().meta({
      description: 'Why the processor declined; null otherwise.',
      example: 'Insufficient funds',
    }),
    gateway_reference: z.string().nullable().meta({
      description: 'Reference of the operation at the processor; null if there is none.',
      example: 'sbx_8f3a',
    }),
    three_ds: z
      .strictObject({
        status: z.enum(['NONE', 'FRICTIONLESS', 'CHALLENGED', 'FAILED']).meta({
          description:
            '`NONE`: nothing. `FRICTIONLESS`: without asking the payer. `CHALLENGED`: the payer confirmed. `FAILED`: the payer did not.',
        }),
        liability_shift: z
          .boolean()
          .meta({ description: 'Whether the bank bears the risk of fraud.' }),
      })
      .nullable()
      .meta({
        description: 'How the bank authenticated the payer; null if unknown or not applicable.',
      }),
    due: instant.nullable().meta({
      description: 'When a scheduled payment is taken; null for one that was taken at once.',
    }),
    processed: instant.nullable().meta({ description: 'When the outcome was known; null before.' }),
    ...recordMembers,
  })
  .meta({
    id: 'Payment',
    description:
      'A payment, an authorization (`AUTH`), or a capture of an authorization (`CAPTURE`).',
  })

export type Payment = z.output<typeof payment>

export const paymentResponse = z.strictObject({ payment })
