import type { CheckoutMilestones, CheckoutWithHistory } from '../db/tables/checkouts.ts'
import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { serializePayer } from '../payments/serialize-payer.ts'
import { checkoutStatus } from './status.ts'

/** `now` is in epoch milliseconds. */
export function serializeCheckout(checkout: CheckoutWithHistory, now: number): CheckoutRecord {
  const { amount, currency } = checkout
  const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
  return {
    id: checkout.id,
    payment_link: checkout.payment_link_id,
    deep_link: checkout.deep_link_id,
    account: checkout.account_id,
    legal_entity: checkout.legal_entity_id,
    status: checkoutStatus(checkout, now),
    language: checkout.language,
    branding: checkout.branding,
    timezone: checkout.timezone,
    strings_hash: checkout.strings_hash,
    options_v: checkout.options_v,
    amount: amount === null || currency === null ? null : amountText(amount, currency),
    quantity: checkout.quantity,
    currency,
    alt_key: checkout.alt_key,
    description: checkout.description,
    payer: serializePayer(checkout.payer_details),
    payer_comment: checkout.payer_comment,
    embedded_origin: checkout.embedded_origin,
    attempts: checkout.attempts,
    milestones: {
      opened: checkout.created,
      details_done: milestones.details_done ?? null,
      method_chosen: milestones.method_chosen ?? null,
      submitted: milestones.submitted ?? null,
      challenged: milestones.challenged ?? null,
      completed: milestones.completed ?? null,
    },
    expires: checkout.expires,
    created: checkout.created,
    updated: checkout.updated,
    v: checkout.v,
  }
}
