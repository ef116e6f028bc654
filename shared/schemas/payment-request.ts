import { z } from 'zod'
import { accountDetails } from './account.ts'
import { altKey, currency, instant, merchantKey, notes, positiveAmount } from './common.ts'
import { processorToken, text } from './common.ts'

/** What a merchant sends to take, capture, give back or let go (contract sections 10.1 to 10.7). */

const PARTS_MAX = 100

const recordId = (prefix: string) =>
  z
    .string()
    .max(255)
    .regex(new RegExp(`^${prefix}_[0-9]+_[0-9a-z]+$`), {
      error: `must be an id that begins with ${prefix}_`,
    })

/** Charges that money is for, or is taken back from. */
const parts = z
  .array(z.strictObject({ charge: recordId('cg'), amount: positiveAmount }))
  .min(1)
  .max(PARTS_MAX)
  .refine((all) => new Set(all.map(({ charge }) => charge)).size === all.length, {
    error: 'may name each charge once',
  })

const newMethod = z.strictObject({
  token: processorToken,
  type: z
    .string()
    .regex(/^[A-Z_]{2,32}$/, { error: 'must be a method type such as CARD' })
    .nullish(),
  processor: text(64).nullish(),
  save: z.boolean().nullish(),
})

const recurring = z
  .strictObject({
    frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
    interval: z.int().min(1).max(366).nullish(),
    count: z.int().min(1).max(10_000).nullish(),
    until: instant.nullish(),
  })
  .refine(({ count, until }) => count == null || until == null, {
    error: 'may have count or until, not both',
  })

export const takePayment = z
  .strictObject({
    payment: z.strictObject({
      action: z.enum(['PAYMENT', 'AUTH']).nullish(),
      amount: positiveAmount,
      currency: currency.nullish(),
      account: z.union([recordId('acc'), accountDetails]).nullish(),
      payment_method: z.union([recordId('pm'), newMethod]),
      alt_key: altKey.nullish(),
      description: text(1000).nullish(),
      reason: text(255).nullish(),
      source: z.enum(['ECOMMERCE', 'MOTO', 'RECURRING']).nullish(),
      channel: text(64).nullish(),
      metadata: notes.nullish(),
      due: instant.nullish(),
      recurring: recurring.nullish(),
      parts: parts.nullish(),
      timeout: z
        .int()
        .min(1)
        .max(60)
        .nullish()
        .meta({ description: 'Seconds to wait for the processor; the server may wait less.' }),
    }),
  })
  .meta({ id: 'TakePayment' })

export type PaymentRequest = z.output<typeof takePayment>['payment']

export const capturePayment = z
  .strictObject({
    capture: z
      .strictObject({
        amount: positiveAmount.nullish(),
        currency: currency.nullish(),
        final: z.boolean().nullish(),
        alt_key: altKey.nullish(),
        description: text(1000).nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'CapturePayment' })

export type CaptureRequest = NonNullable<z.output<typeof capturePayment>['capture']>

export const refundPayment = z
  .strictObject({
    refund: z
      .strictObject({
        amount: positiveAmount.nullish(),
        currency: currency.nullish(),
        reason: text(255).nullish(),
        offline: z.boolean().nullish(),
        reference: merchantKey.nullish(),
        parts: parts.nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'RefundPayment' })

export type RefundRequest = NonNullable<z.output<typeof refundPayment>['refund']>

export const voidPayment = z
  .strictObject({ void: z.strictObject({}).nullish() })
  .meta({ id: 'VoidPayment' })

export const decideRefund = z
  .strictObject({
    refund: z.strictObject({ status: z.enum(['SUCCESS', 'DECLINED']) }),
  })
  .meta({ id: 'DecideRefund' })
