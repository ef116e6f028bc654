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
    id: z.string().meta({
      description: 'Payment id; begins with `pay_`, for a capture with `ca_`.',
      example: 'pay_1893499200000_3d4e5f6g7h8i9j0k',
    }),
    type: z.enum(['PAYMENT', 'AUTH', 'CAPTURE']).meta({
      description:
        '`PAYMENT`: money taken at once. `AUTH`: money reserved. `CAPTURE`: money taken of what was reserved.',
    }),
    status: z
      .enum(['SUCCESS', 'DECLINE', 'PENDING', 'SCHEDULED', 'UNRESOLVED', 'VOIDED', 'CANCELLED'])
      .meta({
        description:
          '`SUCCESS`: taken, or reserved for `AUTH`. `DECLINE`: not taken. `PENDING`: decided later. `SCHEDULED`: due later. `UNRESOLVED`: the processor has not answered, and the server keeps asking. `VOIDED`: an authorization that was released. `CANCELLED`: given up before it was taken.',
      }),
    amount: z.string().meta({ description: 'Amount in major units.', example: '24.00' }),
    currency: currency.meta({ description: 'Currency of all amounts of the payment, ISO 4217.' }),
    captured_amount: z.string().nullable().meta({
      description:
        'What has been captured of an authorization, or is being captured; null for other types.',
      example: '0.00',
    }),
    open_amount: z.string().nullable().meta({
      description:
        'What can still be captured of an authorization, zero once it has run out; null for other types.',
      example: '24.00',
    }),
    refunded_amount: z.string().nullable().meta({
      description: 'What has been refunded, or is being refunded; null for an authorization.',
      example: '0.00',
    }),
    disputed_amount: z.string().nullable().meta({
      description:
        'What disputes withdraw, those that are open and those that are lost; null for an authorization.',
      example: '0.00',
    }),
    refundable_amount: z.string().nullable().meta({
      description:
        'What can still be refunded: neither refunded nor disputed; null for an authorization.',
      example: '24.00',
    }),
    authorisation: z
      .string()
      .nullable()
      .meta({ description: 'Id of the authorization that a capture is of; otherwise null.' }),
    alt_key: z
      .string()
      .nullable()
      .meta({ description: 'Your reference; null where there is none.', example: 'order-1001' }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'What the payment is for; null where nothing was said.' }),
    payer: payer.nullable().meta({
      description: 'What the payer typed on the payment page; null where they typed nothing.',
    }),
    payer_comment: z.string().nullable().meta({
      description: 'What the payer wrote besides a fixed comment; null where that was nothing.',
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
      description: 'Sales channel of the link or request; null where there is none.',
      example: 'web',
    }),
    metadata: metadata.meta({
      description: 'Names and values of your own; `{}` where there are none.',
    }),
    account: relation(account).meta({
      description: 'The customer who pays; null where none is known. Expandable.',
    }),
    contract: relation(contract).meta({
      description: 'The contract that the payment is for; null where there is none. Expandable.',
    }),
    charge: relation(charge).meta({
      description:
        'The charge that its schedule or contract made; null where there is none. Expandable.',
    }),
    payment_link: z.string().nullable().meta({
      description: 'Id of the payment link that it was paid on; null where there is none.',
    }),
    payment_method: relation(paymentMethod).meta({
      description: 'The stored method that was used or made; null where there is none. Expandable.',
    }),
    transaction: relation(transaction).meta({
      description:
        'The operation at the processor; null for a payment that is due later. Expandable.',
    }),
    parts: z
      .array(
        z.strictObject({
          charge: z.union([z.string(), charge]).meta({
            description: 'The charge: its id, or the record itself where `expand` asks for it.',
          }),
          amount: z
            .string()
            .meta({ description: 'Amount of the part, in major units.', example: '24.00' }),
        }),
      )
      .meta({ description: 'Charges that the payment is for. Expandable.' }),
    gateway_status: gatewayStatus
      .nullable()
      .meta({ description: 'What the processor said; null before it was asked.' }),
    gateway_message: z.string().nullable().meta({
      description: 'Why the processor declined; null otherwise.',
      example: 'Insufficient funds',
    }),
    gateway_reference: z.string().nullable().meta({
      description: 'Number of the operation at the processor; null where it gave none.',
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
        description:
          'What the bank did to authenticate the payer; null where that is not known or does not apply.',
      }),
    due: instant.nullable().meta({
      description: 'When a scheduled payment is taken; null for one that was taken at once.',
    }),
    processed: instant.nullable().meta({ description: 'When the outcome was known; null before.' }),
    ...recordMembers,
  })
  .meta({
    id: 'Payment',
    description: 'Money taken, reserved (`AUTH`), or captured of what was reserved (`CAPTURE`).',
  })

export type Payment = z.output<typeof payment>

export const paymentAnswer = z.strictObject({ payment })
