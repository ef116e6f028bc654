import type { PaymentRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { toJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { newId, randomBase64url } from '../ids.ts'
import { consentRecord } from '../payment-methods/consent.ts'
import { newCall } from '../payments/call-processor.ts'
import type { PayerAttempt, ProcessorCall } from '../payments/attempts.ts'
import { createContractCharge, type Owed } from '../payments/contract-charge.ts'
import { newPayment } from '../payments/new-rows.ts'
import { reserveParts } from '../payments/reserve-parts.ts'
import { storeOperation } from '../payments/store-operation.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import {
  type AttemptContext,
  type ClaimedSubmit,
  claimSubmit,
  type LinkedContext,
  type Refusal,
  requestHash,
} from './claim-submit.ts'
import { readConsent } from './consent.ts'

export interface StoredAttempt {
  attempt: PayerAttempt
  payment: PaymentRow
}

/**
 * Claims the link and stores account, payment, transaction and attempt, in one transaction. Returns
 * undefined when the claim failed.
 */
export async function createAttempt(
  deps: Deps,
  unlinked: AttemptContext,
): Promise<StoredAttempt | Refusal | undefined> {
  const now = deps.now()
  const id = newId('at', now)
  const hash = requestHash(deps, unlinked.request)
  const call = newCall(deps, now)
  const taken = unlinked.terms.amount
  return claimSubmit(deps, unlinked, { id, now, taken }, (tx, context, claimed) =>
    storeAttempt(tx, context, claimed, newPayerAttempt(context, id, hash), call),
  )
}

async function storeAttempt(
  tx: Tx,
  context: LinkedContext,
  claimed: ClaimedSubmit,
  input: NewPayerAttempt,
  call: ProcessorCall,
): Promise<StoredAttempt> {
  const { now } = call
  const { legal_entity_id, legal_entity_version } = claimed.payee
  const fresh = {
    ...newLinkPayment(context, now),
    legal_entity_id,
    legal_entity_version,
    account_id: claimed.payer.accountId,
    payer_details: claimed.payer.details,
  }
  const owed = await createOwed(tx, context, fresh, { parts: claimed.parts, now })
  const payment = { ...fresh, ...owed.ids }
  await reserveParts(tx, payment, owed.parts, { member: 'charges', now })
  const attempt = await storeOperation(tx, payment, owed.parts, { ...input, ...call })
  return { attempt: { ...attempt, ...input }, payment }
}

/** Returns the charges of a link, or the first one of the contract that its payment begins. */
async function createOwed(
  tx: Tx,
  context: LinkedContext,
  payment: PaymentRow,
  { parts, now }: Pick<ClaimedSubmit, 'parts'> & { now: number },
): Promise<Owed> {
  const { instance, link, checkout, actorSession } = context
  const { recurring } = parseLinkContent(link).options
  if (recurring == null) return { ids: {}, parts }
  const at = formatInstant(now)
  return createContractCharge(tx, {
    instanceId: instance.id,
    // A method that is saved has an account.
    accountId: payment.account_id as string,
    paymentMethodId: payment.payment_method_id,
    paymentLinkId: payment.payment_link_id,
    amount: payment.amount,
    currency: payment.currency,
    description: payment.description,
    altKey: payment.alt_key,
    recurring,
    anchor: at,
    timezone: checkout.timezone ?? instance.timezone ?? 'UTC',
    legalEntityId: payment.legal_entity_id,
    consent: consentRecord(readConsent(context, null), { at, checkout: checkout.id }),
    scheduledPaymentId: null,
    by: actorSession ?? null,
    now,
  })
}

/** Returns the payment of an attempt, without its account, which is resolved later. */
function newLinkPayment({ instance, terms, method, link }: LinkedContext, now: number): PaymentRow {
  const { options } = parseLinkContent(link)
  return newPayment(
    {
      instance_id: instance.id,
      type: 'PAYMENT',
      amount: terms.amount,
      quantity: terms.quantity,
      unit_amount: terms.unitAmount,
      currency: terms.currency,
      alt_key: terms.altKey,
      description: terms.description,
      payer_comment: terms.payerComment,
      source: options.source ?? 'ECOMMERCE',
      channel: options.channel ?? null,
      payment_link_id: link.id,
      payment_method_id: method.savedMethodId,
    },
    now,
  )
}

function newPayerAttempt(
  context: LinkedContext,
  id: string,
  request_hash: string,
): NewPayerAttempt {
  const { request, method, link, checkout } = context
  return {
    id,
    kind: 'PAY',
    payment_link_id: link.id,
    checkout_id: checkout.id,
    options_v: request.options_v,
    attempt_key: request.attempt_key,
    request_hash,
    handle: randomBase64url(24),
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.savedMethodId,
    save: method.save ? 1 : 0,
    reusable: method.reusable ? 1 : 0,
    consent: method.save ? toJson(readConsent(context, method.consentId)) : null,
    method_brand: method.brand,
    method_last4: method.last4,
  }
}

type NewPayerAttempt = Pick<
  PayerAttempt,
  'id' | 'kind' | 'processor' | 'payment_link_id' | 'checkout_id' | 'handle' | 'method_type'
> &
  Partial<PayerAttempt>
