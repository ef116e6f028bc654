import { z } from 'zod'
import { holdsCardNumberWithin } from '../rules/card-in-text.ts'
import { ACCOUNT_ID } from '../rules/ids.ts'
import { account } from './account.ts'
import { address, altKey, currency, email, instant, merchantKey } from './common.ts'
import { positiveAmount, recordMembers } from './common.ts'
import { NO_CARD_NUMBER, URL_MAX, relation, text, timeZone } from './common.ts'
import { charge } from './charge.ts'
import { contract } from './contract.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { transaction } from './transaction.ts'

/** Payment links (specification: Payment link; contract section 6). */

/** Bytes of `state` as JSON text in UTF-8. */
export const STATE_BYTES_MAX = 10_240

const redirectTarget = text(URL_MAX).meta({ format: 'uri' })

/** Customer details that prefill the page and make or find an account on the first submit. */
export const payerAccount = z
  .strictObject({
    address: address.nullish(),
    crm_key: merchantKey.nullish(),
    email: email.nullish(),
    first_name: text(255).nullish(),
    last_name: text(255).nullish(),
    phone: text(64).nullish(),
  })
  .meta({ id: 'PaymentLinkAccount' })

const accountId = z
  .string()
  .max(255)
  .regex(ACCOUNT_ID, { error: 'must be an account id such as acc_1699000000000_k3j9' })

export const paymentLinkOptions = z
  .strictObject({
    account: z.union([accountId, payerAccount]).nullish(),
    allow_description: z.boolean().nullish(),
    alt_key: altKey.nullish(),
    amount: positiveAmount.nullish(),
    description: text(1000).nullish(),
    currency: currency.nullish(),
    default_alt_key: z
      .union([altKey, z.string().max(0)], { error: 'must be a string' })
      .nullish()
      .meta({
        description:
          'Default reference, which the payer may change. An empty one asks the payer for a reference and suggests none; without this member the page asks for none.',
        example: 'INV-1042',
      }),
    default_amount: positiveAmount.nullish(),
    default_description: text(1000).nullish(),
    name: text(255).nullish(),
    page_intro: text(5000).nullish(),
    page_pending_message: text(5000).nullish(),
    page_success_message: text(5000).nullish(),
    pending_url: redirectTarget.nullish(),
    success_url: redirectTarget.nullish(),
    save_card: z.boolean().nullish(),
    default_save_card: z.boolean().nullish(),
    hide_save_card_toggle: z.boolean().nullish(),
    skip_receipt: z.boolean().nullish(),
    source: z.enum(['ECOMMERCE']).nullish(),
    channel: text(64).nullish(),
    force_add: z.boolean().nullish(),
    timezone: timeZone.nullish(),
  })
  .meta({ id: 'PaymentLinkOptions' })

export type PaymentLinkOptions = z.output<typeof paymentLinkOptions>

// Any JSON but a bare number or boolean, taken as it came: copying it member by member would give
// a key such as __proto__ a meaning, and here it is only data.
const state = z
  .custom<Record<string, unknown> | unknown[] | string>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    { error: 'must be an object, an array or a string' },
  )
  .refine((value) => !holdsCardNumberWithin(value), NO_CARD_NUMBER)
  .meta({
    type: ['object', 'array', 'string'],
    description: `Free data of the creator, at most ${STATE_BYTES_MAX} bytes as JSON.`,
  })

const writable = z.strictObject({
  expires: instant.nullish(),
  options: paymentLinkOptions.nullish(),
  state: state.nullish(),
})

export type PaymentLinkChange = z.output<typeof writable>

export const createPaymentLink = z
  .strictObject({ payment_link: writable })
  .meta({ id: 'CreatePaymentLink' })

export const updateMode = z.enum(['PATCH', 'REPLACE'])
export type UpdateMode = z.output<typeof updateMode>

export const updatePaymentLink = z
  .strictObject({ mode: updateMode.optional(), payment_link: writable })
  .meta({ id: 'UpdatePaymentLink' })

export const paymentLinkStatus = z.enum(['ACTIVE', 'PAYMENT_PENDING', 'PAYMENT_SUCCESS', 'EXPIRED'])
export type PaymentLinkStatus = z.output<typeof paymentLinkStatus>

export const paymentLink = z
  .strictObject({
    id: z.string(),
    status: paymentLinkStatus,
    archived: instant.nullable(),
    url: z.string().meta({ format: 'uri' }),
    expires: instant.nullable(),
    options: paymentLinkOptions,
    state: state.nullable(),
    account: relation(account),
    contract: relation(contract),
    charge: relation(charge),
    transaction: relation(transaction),
    payment_method: relation(paymentMethod),
    payment: relation(payment),
    opened: instant.nullable(),
    last_opened: instant.nullable(),
    attempts: z.int(),
    ...recordMembers,
  })
  .meta({ id: 'PaymentLink' })

export type PaymentLink = z.output<typeof paymentLink>

export const paymentLinkAnswer = z.strictObject({ payment_link: paymentLink })
export const paymentLinkList = z.array(paymentLink)
