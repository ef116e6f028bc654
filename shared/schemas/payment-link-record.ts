import { z } from 'zod'
import { account } from './account.ts'
import { charge } from './charge.ts'
import { instantOrNull, recordMembers, recordText, relation } from './common.ts'
import { contract } from './contract.ts'
import { deepLink } from './deep-link.ts'
import { linkState, paymentLinkOptions } from './payment-link.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { transaction } from './transaction.ts'

export const paymentLinkStatus = z.enum(['ACTIVE', 'PAYMENT_PENDING', 'PAYMENT_SUCCESS', 'EXPIRED'])
export type PaymentLinkStatus = z.output<typeof paymentLinkStatus>

export const paymentLink = z
  .strictObject({
    id: recordText('Payment link id; begins with `pl_`.', 'pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c'),
    status: paymentLinkStatus.describe(
      '`ACTIVE`: can be paid. `PAYMENT_PENDING`: a payment has been accepted, and its outcome is awaited. `PAYMENT_SUCCESS`: paid, or its free trial has begun, without a payment. `EXPIRED`: its time passed unpaid.',
    ),
    archived: instantOrNull.describe(
      'When the link was archived and so can no longer be paid; null if it was not.',
    ),
    url: z.string().meta({ format: 'uri' }).meta({
      description: 'Address of the payment page, for the payer.',
      example: 'https://pay.shop.example/pay/pl_lp9c7k00_3fK9mQx7Rt2VbN8sLw4ZyH6c',
    }),
    expires: instantOrNull.describe('When the link can no longer be paid; null for never.'),
    options: paymentLinkOptions,
    state: linkState.nullable(),
    account: relation(account).describe(
      'The customer who paid. Like all relations of a link, null before `PAYMENT_PENDING` or `PAYMENT_SUCCESS`. Expandable.',
    ),
    contract: relation(contract).describe(
      'The contract that the payment or free trial began; null if there is none. Expandable.',
    ),
    charge: relation(charge).describe(
      'The charge that was paid, the first of several; null if there is none. Expandable.',
    ),
    transaction: relation(transaction).describe(
      'The transaction of the payment; null for a free trial. Expandable.',
    ),
    payment_method: relation(paymentMethod).describe(
      'The stored method used; null if none was stored. Expandable.',
    ),
    payment: relation(payment).describe('The payment; null for a free trial. Expandable.'),
    deep_link: relation(deepLink).describe(
      'The deep link whose use it is; null for a link of its own. Expandable.',
    ),
    opened: instantOrNull.describe('When the page was first opened; null before.'),
    last_opened: instantOrNull.describe(
      'When the page was last opened; null before the first time.',
    ),
    attempts: z
      .int()
      .describe('How many payments or free trials were tried, declined ones included.'),
    ...recordMembers,
  })
  .meta({ id: 'PaymentLink', description: 'A payment that a payer can make on a page, once.' })

export type PaymentLink = z.output<typeof paymentLink>

export const paymentLinkResponse = z.strictObject({ payment_link: paymentLink })
