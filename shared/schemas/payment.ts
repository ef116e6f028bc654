import { z } from 'zod'
import { account } from './account.ts'
import { charge } from './charge.ts'
import {
  currency,
  flag,
  instantOrNull,
  metadata,
  recordMembers,
  recordText,
  recordTextOrNull,
  relation,
} from './common.ts'
import { contract } from './contract.ts'
import { payer } from './payer.ts'
import { legalEntity } from './legal-entity.ts'
import { paymentMethod } from './payment-method.ts'
import { gatewayStatus, transaction } from './transaction.ts'

/** Payments, authorizations and captures, which share one schema. */
export const payment = z
  .strictObject({
    id: recordText(
      'Payment id; begins with `pay_`, for a capture with `ca_`.',
      'pay_1893499200000_3d4e5f6g7h8i9j0k',
    ),
    type: z
      .enum(['PAYMENT', 'AUTH', 'CAPTURE'])
      .describe(
        '`PAYMENT`: charged at once. `AUTH`: authorized. `CAPTURE`: captured from an authorization.',
      ),
    status: z
      .enum(['SUCCESS', 'DECLINE', 'PENDING', 'SCHEDULED', 'UNRESOLVED', 'VOIDED', 'CANCELLED'])
      .describe(
        '`SUCCESS`: charged, or authorized for `AUTH`. `DECLINE`: declined. `PENDING`: the outcome comes later. `SCHEDULED`: due later. `UNRESOLVED`: the outcome is unknown, and the server keeps querying the processor. `VOIDED`: an authorization that was voided. `CANCELLED`: canceled before it was charged.',
      ),
    amount: recordText('Amount in major units.', '24.00'),
    currency: currency.describe('Currency of all amounts of the payment, ISO 4217.'),
    quantity: z.int().nullable().meta({
      description: 'How many the payer chose; null unless the payment link asked for a quantity.',
      example: 3,
    }),
    unit_amount: recordTextOrNull(
      'Price of one in major units; null unless the payment link asked for a quantity.',
      '8.00',
    ),
    captured_amount: recordTextOrNull(
      'Amount of an authorization that is captured or being captured; null for other types.',
      '0.00',
    ),
    open_amount: recordTextOrNull(
      'Amount of an authorization that can still be captured, zero once it has expired; null for other types.',
      '24.00',
    ),
    refunded_amount: recordTextOrNull(
      'Amount refunded or being refunded, also by you at the processor; null for an authorization.',
      '0.00',
    ),
    disputed_amount: recordTextOrNull(
      'Amount withdrawn by open and lost disputes and by returned debits; null for an authorization.',
      '0.00',
    ),
    refundable_amount: recordTextOrNull(
      'Amount that can still be refunded: neither refunded nor disputed; null for an authorization.',
      '24.00',
    ),
    fee_amount: recordTextOrNull(
      'Fee of the processor, in major units of `fee_currency`; null until it is known.',
    ),
    net_amount: recordTextOrNull(
      'Amount less the fee, in major units of `fee_currency`; null until it is known.',
    ),
    fee_currency: recordTextOrNull(
      'Currency in which the processor pays out; null until it is known.',
    ),
    surplus: flag.describe(
      'Whether the money arrived when the link was paid already, or after a decline. It is refunded automatically.',
    ),
    authorisation: recordTextOrNull(
      'Id of the authorization that a capture is of; otherwise null.',
    ),
    alt_key: recordTextOrNull('Your reference; null if there is none.', 'order-1001'),
    description: recordTextOrNull('Description of the payment; null if there is none.'),
    payer: payer
      .nullable()
      .describe('Details that the payer entered on the payment page; null if none.'),
    payer_comment: recordTextOrNull('Comment that the payer added to a fixed one; null if none.'),
    reference: recordText(
      'Unique reference for the customer, as on the receipt.',
      '7KQM-4X9T-PWRD',
    ),
    source: recordText(
      'Where the payment came from: `ECOMMERCE`, `MOTO` or `RECURRING`.',
      'ECOMMERCE',
    ),
    channel: recordTextOrNull(
      'Sales channel of the link or request; null if there is none.',
      'web',
    ),
    metadata: metadata.describe('Your own key-value pairs; `{}` if there are none.'),
    account: relation(account).describe('The customer who pays; null if unknown. Expandable.'),
    contract: relation(contract).describe(
      'The contract that the payment is for; null if there is none. Expandable.',
    ),
    charge: relation(charge).describe(
      'The charge that its schedule or contract made; null if there is none. Expandable.',
    ),
    legal_entity: relation(legalEntity).describe(
      'The legal entity that is paid; null while the instance has no legal entities. Expandable.',
    ),
    payment_link: recordTextOrNull(
      'Id of the payment link that it was paid on; null if there is none.',
    ),
    payment_method: relation(paymentMethod).describe(
      'The stored method that was used or created; null if there is none. Expandable.',
    ),
    transaction: relation(transaction).describe(
      'The operation at the processor; null for a payment that is due later. Expandable.',
    ),
    parts: z
      .array(
        z.strictObject({
          charge: z
            .union([z.string(), charge])
            .describe('The charge: its id, or the record if expanded.'),
          amount: recordText('Amount of the part, in major units.', '24.00'),
        }),
      )
      .describe('Charges that the payment is for. Expandable.'),
    gateway_status: gatewayStatus
      .nullable()
      .describe('Response of the processor; null before the request.'),
    gateway_message: recordTextOrNull(
      'Why the processor declined; null otherwise.',
      'Insufficient funds',
    ),
    gateway_reference: recordTextOrNull(
      'Reference of the operation at the processor; null if there is none.',
      'sbx_8f3a',
    ),
    retry_advice: z
      .enum(['NEVER', 'LATER', 'WITH_PAYER'])
      .nullable()
      .describe(
        'Whether a declined method may be charged again: `NEVER`, `LATER`, or only `WITH_PAYER`, because the bank wants the customer to confirm. Null without advice of the processor, and for payments that were not declined.',
      ),
    risk_review: flag.describe(
      'Whether the processor advises to look at the payment before goods are sent.',
    ),
    three_ds: z
      .strictObject({
        status: z
          .enum(['NONE', 'FRICTIONLESS', 'CHALLENGED', 'FAILED'])
          .describe(
            '`NONE`: nothing. `FRICTIONLESS`: without asking the payer. `CHALLENGED`: the payer confirmed. `FAILED`: the payer did not.',
          ),
        liability_shift: flag.describe('Whether the bank bears the risk of fraud.'),
      })
      .nullable()
      .describe('How the bank authenticated the payer; null if unknown or not applicable.'),
    due: instantOrNull.describe(
      'When a scheduled payment is taken; null for one that was taken at once.',
    ),
    processed: instantOrNull.describe('When the outcome was known; null before.'),
    ...recordMembers,
  })
  .meta({
    id: 'Payment',
    description:
      'A payment, an authorization (`AUTH`), or a capture of an authorization (`CAPTURE`).',
  })

export type Payment = z.output<typeof payment>

export const paymentResponse = z.strictObject({ payment })
