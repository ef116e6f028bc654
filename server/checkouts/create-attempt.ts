import { randomBytes } from 'node:crypto'
import type { LinkRow } from '../db/tables/payment-links.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { payerNetwork } from '../card-testing/limits.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { newId, newPaymentLinkId } from '../ids.ts'
import { newCall } from '../payments/call-processor.ts'
import type { Payee } from '../legal-entity-routes/resolve.ts'
import type { PayerAttempt, ProcessorCall } from '../payments/attempts.ts'
import { createContractCharge, type Owed } from '../payments/contract-charge.ts'
import { newPayment } from '../payments/new-rows.ts'
import type { Part } from '../payments/parts.ts'
import { reserveParts } from '../payments/reserve-parts.ts'
import { storeOperation } from '../payments/store-operation.ts'
import { claimSessionLink, recordMadeLink, withId } from '../deep-links/claim.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { lockShownCharges } from './charges.ts'
import { consentJson } from './consent.ts'
import { recordCheckoutEvent } from './events.ts'
import { addReportedMilestones } from './milestones.ts'
import { payeeColumns } from './payee.ts'
import { lockKnownAccount, mayCreateAccount, resolveAccount } from './resolve-account.ts'
import { lockSubmittedMethod, type SubmittedMethod } from './resolve-payment-method.ts'
import type { ResolvedTerms } from './resolve-terms.ts'
import type { CheckoutSession } from './session.ts'
import { lockOpenCheckout, updateCheckout } from './store.ts'

export interface SubmitContext extends CheckoutSession {
  request: SubmitBody
  /** The payer's address and browser. */
  client: ClientInfo
  /** Epoch milliseconds on the instance's clock. */
  receivedAt: number
}

export interface AttemptContext extends SubmitContext {
  terms: ResolvedTerms
  method: SubmittedMethod
  /** To whom the payment belongs, where the session could not tell. */
  payee: Payee | undefined
}

export interface StoredAttempt {
  attempt: PayerAttempt
  payment: PaymentRow
}

/** Rolls the transaction back: the session ended after it was read. */
class SessionEnded extends Error {}

/** Rolls the transaction back: another submit of the session has stored its payment link. */
class LinkStored extends Error {}

/** An attempt on a link that is stored, or is stored with it (`isNew`). */
interface LinkedContext extends AttemptContext {
  link: LinkRow
  isNew: boolean
}
type Refusal = 'REPEATED' | 'SESSION_ENDED' | 'TERMS_CHANGED'

/**
 * Claims the link, stores account, payment, transaction and attempt, and records
 * `checkout.submitted`, in one transaction. Returns undefined when the claim failed; nothing is stored
 * then, nor when the session has ended or the charges of the link are not those that it showed.
 */
export async function createAttempt(
  deps: Deps,
  unlinked: AttemptContext,
): Promise<StoredAttempt | Refusal | undefined> {
  const now = deps.now()
  const context = { ...unlinked, ...withId(unlinked.link, () => newPaymentLinkId(now)) }
  const { baseUrl } = deps.config
  const actorSession = await findPayerSession(deps, context)
  const attempt = newPayerAttempt(context, newId('at', now), requestHash(deps, context.request))
  const call = newCall(deps, now)
  try {
    return await inTransaction(deps.db, async (tx) => {
      const stored = await storeAttempt(tx, { ...context, actorSession, attempt, baseUrl }, call)
      deps.failpoint('attempt-begun')
      return stored
    })
  } catch (error) {
    // Another process stored the same attempt_key after it was looked up.
    if (isUniqueViolation(error)) return 'REPEATED'
    if (error instanceof SessionEnded) return 'SESSION_ENDED'
    if (error instanceof LinkStored) return undefined
    throw error
  }
}

/**
 * Returns the id of the payer's actor session where an account may be created, which records it.
 * Other payers get none, so that their address and browser are not stored.
 */
async function findPayerSession(
  deps: Deps,
  { checkout, instance, link, request, method, client }: AttemptContext,
): Promise<string | undefined> {
  const { options } = parseLinkContent(link)
  const sessionAccount = checkout.account_id
  // Who began a contract is recorded too.
  const isRecorded =
    options.recurring != null ||
    mayCreateAccount({ options, request, sessionAccount, save: method.save })
  if (!isRecorded) return undefined
  return findOrCreateActorSession(deps, instance.id, {
    type: 'CHECKOUT',
    checkout: checkout.id,
    ...client,
  })
}

async function storeAttempt(
  tx: Tx,
  context: LinkedContext & {
    actorSession: string | undefined
    attempt: NewPayerAttempt
    baseUrl: string
  },
  call: ProcessorCall,
): Promise<StoredAttempt | 'TERMS_CHANGED' | undefined> {
  const { instance, request, terms, method } = context
  const { now } = call
  const { options } = parseLinkContent(context.link)
  const sessionAccount = context.checkout.account_id
  const isKept = await lockKnownAccount(tx, instance.id, { options, sessionAccount })
  if (!isKept) throw new SessionEnded()
  const parts = await lockShownCharges(tx, context)
  if (!parts) return 'TERMS_CHANGED'
  // Before the link, as in settlement, which saves a method before it pays the link.
  await lockSubmittedMethod(tx, instance, method, now)
  const claimed = await claimSessionLink(tx, context, {
    attemptId: context.attempt.id,
    optionsVersion: request.options_v,
    now: formatInstant(context.receivedAt),
  })
  if (!claimed) return undefined
  // Locked and read again: another attempt of this session may have ended before the claim.
  const checkout = await lockOpenCheckout(tx, context.checkout.id)
  // One session makes one payment link, also when it submits twice at once.
  if (context.isNew && checkout?.payment_link_id !== null) throw new LinkStored()
  if (!checkout) throw new SessionEnded()
  const payer = await resolveAccount(tx, instance.id, {
    options: parseLinkContent(claimed).options,
    request,
    sessionAccount: checkout.account_id,
    save: method.save,
    actorSession: context.actorSession,
    now,
  })
  const belongs = checkout.legal_entity_id === null ? payeeColumns(context.payee) : checkout
  const { legal_entity_id, legal_entity_version, processor_id } = belongs
  const fresh = {
    ...newLinkPayment(context, now),
    legal_entity_id,
    legal_entity_version,
    account_id: payer.accountId,
    payer_details: payer.details,
  }
  const owed = await createOwed(tx, context, fresh, { parts, now })
  const payment = { ...fresh, ...owed.ids }
  await reserveParts(tx, payment, owed.parts, { member: 'charges', now })
  const attempt = await storeOperation(tx, payment, owed.parts, { ...context.attempt, ...call })
  const milestones = addReportedMilestones(checkout, request.milliseconds_since, context.receivedAt)
  milestones.submitted ??= formatInstant(now)
  await updateCheckout(tx, checkout, {
    payment_link_id: claimed.id,
    options_v: request.options_v,
    account_id: payer.accountId,
    legal_entity_id,
    legal_entity_version,
    processor_id,
    amount: terms.amount,
    quantity: terms.quantity,
    currency: terms.currency,
    alt_key: terms.altKey,
    description: terms.description,
    payer_comment: terms.payerComment,
    network: payerNetwork(context.client),
    method_type: method.type,
    processor: method.processor,
    milestones: JSON.stringify(milestones),
    updated: formatInstant(now),
  })
  const at = { instanceId: instance.id, now }
  if (context.isNew) await recordMadeLink({ tx, baseUrl: context.baseUrl, now }, claimed)
  await recordCheckoutEvent(tx, 'checkout.submitted', checkout.id, at)
  return { attempt: { ...attempt, ...context.attempt }, payment }
}

/** Returns the charges of a link, or the first one of the contract that its payment begins. */
async function createOwed(
  tx: Tx,
  { instance, link, checkout, actorSession }: AttemptContext & { actorSession: string | undefined },
  payment: PaymentRow,
  { parts, now }: { parts: Part[]; now: number },
): Promise<Owed> {
  const { recurring } = parseLinkContent(link).options
  if (recurring == null) return { ids: {}, parts }
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
    anchor: formatInstant(now),
    timezone: checkout.timezone ?? instance.timezone ?? 'UTC',
    legalEntityId: payment.legal_entity_id,
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
    handle: randomBytes(24).toString('base64url'),
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.savedMethodId,
    save: method.save ? 1 : 0,
    reusable: method.reusable ? 1 : 0,
    consent: consentJson(context, method.consentId),
    method_brand: method.brand,
    method_last4: method.last4,
  }
}

type NewPayerAttempt = Pick<
  PayerAttempt,
  'id' | 'kind' | 'processor' | 'payment_link_id' | 'checkout_id' | 'handle' | 'method_type'
> &
  Partial<PayerAttempt>

/**
 * Returns a keyed digest that distinguishes a repeat from another submission. Leaves out the security code
 * and its token, which are never stored in any form (PCI DSS), and the reported times, which may differ
 * in a repeat.
 */
export function requestHash(
  { keyedDigest }: Pick<Deps, 'keyedDigest'>,
  request: SubmitBody,
): string {
  const { milliseconds_since: _reported, ...payment } = request
  const { csc: _csc, csc_token: _token, ...method } = request.payment_method
  return keyedDigest(JSON.stringify({ ...payment, payment_method: method }))
}
