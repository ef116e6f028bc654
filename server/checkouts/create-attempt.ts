import { randomBytes } from 'node:crypto'
import type { LinkRow, PaymentRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { translate } from '../../shared/rules/wording.ts'
import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { callFrom } from '../payments/call-processor.ts'
import type { Call, PayerAttempt } from '../payments/attempts.ts'
import type { Consent } from '../payments/save-method.ts'
import { newPayment } from '../payments/new-rows.ts'
import { storeOperation } from '../payments/operation.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import type { ResolvedTerms } from './resolve-terms.ts'
import { type SubmittedMethod, lockSubmittedMethod } from './resolve-payment-method.ts'
import { payerNetwork } from '../card-testing/declines.ts'
import type { CheckoutSession } from './open-session.ts'
import { addReportedMilestones } from './milestones.ts'
import { mayCreateAccount, resolveAccount } from './resolve-account.ts'
import { claimLink, lockOpenCheckout, updateCheckout } from './store.ts'
import { recordStoredCheckoutEvent } from './events.ts'

/** Everything that is settled about an attempt before it is stored. */
export interface CreateContext {
  opened: CheckoutSession
  sent: SubmitBody
  link: LinkRow
  terms: ResolvedTerms
  method: SubmittedMethod
  received: number
  /** Where the payer is. */
  place: ClientInfo
}

/** The session has ended since it was read; nothing may be written then. */
class SessionEnded extends Error {}

/**
 * The first transaction: claims the link, stores account, payment, transaction and attempt, and
 * records `checkout.submitted`. Undefined when the claim was lost, and then nothing is written, nor
 * when the session has ended.
 */
export async function createAttempt(
  deps: Deps,
  from: CreateContext,
): Promise<PayerAttempt | 'REPEATED' | 'ENDED' | undefined> {
  const now = deps.now()
  const by = await payersSession(deps, from)
  const attempt = attemptOf(from, newId('at', now), requestHash(deps, from.sent))
  const at = callFrom(deps, now)
  try {
    return await inTransaction(deps.db, async (tx) => {
      const stored = await storeAttempt(tx, { ...from, by, attempt }, at)
      deps.failpoint('attempt-begun')
      return stored
    })
  } catch (error) {
    // Another process stored this very attempt_key between our look and our claim.
    if (isUniqueViolation(error)) return 'REPEATED'
    if (error instanceof SessionEnded) return 'ENDED'
    throw error
  }
}

/**
 * The payer's own session, where an account may be made for them. Nothing else that they do names
 * it, so of nobody else are address and program noted.
 */
async function payersSession(
  deps: Deps,
  { opened, link, sent, method, place }: CreateContext,
): Promise<string | undefined> {
  const { checkout, instance } = opened
  const { options } = parseLinkContent(link)
  const sessionAccount = checkout.account_id
  if (!mayCreateAccount({ options, sent, sessionAccount, save: method.save })) return undefined
  return findOrCreateActorSession(deps, instance.id, {
    type: 'CHECKOUT',
    checkout: checkout.id,
    ...place,
  })
}

async function storeAttempt(
  tx: Tx,
  from: CreateContext & { by: string | undefined; attempt: NewPayerAttempt },
  at: Call,
): Promise<PayerAttempt | undefined> {
  const { opened, sent, terms, method } = from
  const { now } = at
  const claimed = await claimLink(tx, {
    linkId: from.link.id,
    attemptId: from.attempt.id,
    optionsVersion: sent.options_v,
    now: formatInstant(from.received),
  })
  if (!claimed) return undefined
  // Read again: before the claim was ours, another try of this payer may have gone by.
  const checkout = await lockOpenCheckout(tx, opened.checkout.id)
  if (!checkout) throw new SessionEnded()
  await lockSubmittedMethod(tx, opened.instance, method, now)
  const payer = await resolveAccount(tx, opened.instance.id, {
    options: parseLinkContent(claimed).options,
    sent,
    sessionAccount: checkout.account_id,
    save: method.save,
    by: from.by,
    now,
  })
  const payment = {
    ...paymentOf(from, now),
    account_id: payer.accountId,
    payer_details: payer.typed,
  }
  const attempt = await storeOperation(tx, payment, [], { ...from.attempt, ...at })
  const milestones = addReportedMilestones(checkout, sent.milliseconds_since, from.received)
  milestones.submitted ??= formatInstant(now)
  await updateCheckout(tx, checkout.id, {
    options_v: sent.options_v,
    account_id: payer.accountId,
    amount: terms.amount,
    currency: terms.currency,
    alt_key: terms.altKey,
    description: terms.description,
    payer_comment: terms.payerComment,
    network: payerNetwork(from.place),
    milestones: JSON.stringify(milestones),
    updated: formatInstant(now),
  })
  const happening = { instanceId: opened.instance.id, now }
  await recordStoredCheckoutEvent(tx, 'checkout.submitted', checkout.id, happening)
  return { ...attempt, ...from.attempt }
}

/** The payment of this attempt, before it is known whose it is. */
function paymentOf({ opened, terms, method, link }: CreateContext, now: number): PaymentRow {
  const { options } = parseLinkContent(link)
  return newPayment(
    {
      instance_id: opened.instance.id,
      type: 'PAYMENT',
      amount: terms.amount,
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

/** What is particular about an attempt of a payer on a link. */
function attemptOf(
  { opened, sent, method, link }: CreateContext,
  id: string,
  request_hash: string,
): NewPayerAttempt {
  return {
    id,
    kind: 'PAY',
    payment_link_id: link.id,
    checkout_id: opened.checkout.id,
    attempt_key: sent.attempt_key,
    request_hash,
    handle: randomBytes(24).toString('base64url'),
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.savedMethodId,
    save: method.save ? 1 : 0,
    reusable: method.reusable ? 1 : 0,
    consent: consentJson(opened, method),
    method_brand: method.brand,
    method_last4: method.last4,
  }
}

type NewPayerAttempt = Pick<
  PayerAttempt,
  'id' | 'kind' | 'processor' | 'payment_link_id' | 'checkout_id' | 'handle' | 'method_type'
> &
  Partial<PayerAttempt>

/** The sentence of consent in the words of the frozen bundle: what this payer saw. */
function consentJson(
  { bundle, checkout }: CheckoutSession,
  method: SubmittedMethod,
): string | null {
  if (method.consentId === null) return null
  const { language, strings } = bundle
  const text = translate(strings, language, method.consentId, { merchant: checkout.merchant })
  return JSON.stringify({ text, language } satisfies Consent)
}

/**
 * What was submitted, without the security code, which is kept nowhere in any form, and without
 * what the page reports beside the payment, which a repeat may tell otherwise.
 */
export function requestHash({ keyedDigest }: Pick<Deps, 'keyedDigest'>, sent: SubmitBody): string {
  const { milliseconds_since: _reported, ...paid } = sent
  const { csc: _csc, ...method } = sent.payment_method
  return keyedDigest(JSON.stringify({ ...paid, payment_method: method }))
}
