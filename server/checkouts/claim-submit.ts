import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { payerNetwork } from '../card-testing/limits.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { newPaymentLinkId } from '../ids.ts'
import type { Payee } from '../legal-entity-routes/resolve.ts'
import type { Part } from '../payments/parts.ts'
import { claimSessionLink, recordMadeLink, withId } from '../deep-links/claim.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { lockShownCharges } from './charges.ts'
import { recordCheckoutEvent } from './events.ts'
import { addReportedMilestones } from './milestones.ts'
import { payeeColumns } from './payee.ts'
import {
  lockKnownAccount,
  mayCreateAccount,
  type PayerAccount,
  resolveAccount,
} from './resolve-account.ts'
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

/** A submit on a link that is stored, or is stored with it (`isNew`). */
export interface LinkedContext extends AttemptContext {
  link: LinkRow
  isNew: boolean
  /** Id of the payer's actor session; undefined where none is recorded. */
  actorSession: string | undefined
}

/** What a submit has claimed and locked before its processor is asked. */
export interface ClaimedSubmit {
  payer: PayerAccount
  payee: Pick<CheckoutRow, 'legal_entity_id' | 'legal_entity_version' | 'processor_id'>
  /** The charges to pay; none for a link that names no charges. */
  parts: Part[]
}

export type Refusal = 'REPEATED' | 'SESSION_ENDED' | 'TERMS_CHANGED'

/** Rolls the transaction back: the session ended after it was read. */
class SessionEnded extends Error {}

/** Rolls the transaction back: another submit of the session has stored its payment link. */
class LinkStored extends Error {}

/**
 * Claims the link for a submit under `id`, has `store` store what it asks its processor for, and records
 * `checkout.submitted`, in one transaction. `taken` is the amount that the processor will be asked for, in
 * minor units. Returns undefined when the claim failed; nothing is stored then, nor when the session
 * has ended or the charges of the link are not those that it showed.
 */
export async function claimSubmit<Stored>(
  deps: Deps,
  unlinked: AttemptContext,
  { id, now, taken }: { id: string; now: number; taken: number },
  store: (tx: Tx, context: LinkedContext, claimed: ClaimedSubmit) => Promise<Stored>,
): Promise<Stored | Refusal | undefined> {
  const actorSession = await findPayerSession(deps, unlinked)
  const linked = withId(unlinked.link, () => newPaymentLinkId(now))
  const context = { ...unlinked, ...linked, actorSession }
  try {
    return await inTransaction(deps.db, async (tx) => {
      const { instance, method } = context
      const isKept = await lockKnownAccount(tx, instance.id, {
        options: parseLinkContent(context.link).options,
        sessionAccount: context.checkout.account_id,
      })
      if (!isKept) throw new SessionEnded()
      const parts = await lockShownCharges(tx, context)
      if (!parts) return 'TERMS_CHANGED'
      // Before the link, as in settlement, which saves a method before it pays the link.
      await lockSubmittedMethod(tx, instance, method, now)
      const link = await claimSessionLink(tx, context, {
        attemptId: id,
        optionsVersion: context.request.options_v,
        now: formatInstant(context.receivedAt),
      })
      if (!link) return undefined
      const checkout = await lockCheckoutOf(tx, context)
      const claimed = await resolveOwner(tx, context, { link, checkout, parts, now })
      const stored = await store(tx, context, claimed)
      await recordSubmit(tx, context, { ...claimed, link, checkout, taken, now })
      if (context.isNew) await recordMadeLink({ tx, baseUrl: deps.config.baseUrl, now }, link)
      const at = { instanceId: context.instance.id, now }
      await recordCheckoutEvent(tx, 'checkout.submitted', checkout.id, at)
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

/** Locks the session and reads it again: another attempt of it may have ended before the claim. */
async function lockCheckoutOf(
  tx: Tx,
  { checkout: { id }, isNew }: LinkedContext,
): Promise<CheckoutRow> {
  const checkout = await lockOpenCheckout(tx, id)
  // One session makes one payment link, also when it submits twice at once.
  if (isNew && checkout?.payment_link_id !== null) throw new LinkStored()
  if (!checkout) throw new SessionEnded()
  return checkout
}

async function resolveOwner(
  tx: Tx,
  { instance, request, method, actorSession, payee }: LinkedContext,
  {
    link,
    checkout,
    parts,
    now,
  }: { link: LinkRow; checkout: CheckoutRow; parts: Part[]; now: number },
): Promise<ClaimedSubmit> {
  const payer = await resolveAccount(tx, instance.id, {
    options: parseLinkContent(link).options,
    request,
    sessionAccount: checkout.account_id,
    save: method.save,
    actorSession,
    now,
  })
  const belongs = checkout.legal_entity_id === null ? payeeColumns(payee) : checkout
  const { legal_entity_id, legal_entity_version, processor_id } = belongs
  return { payer, payee: { legal_entity_id, legal_entity_version, processor_id }, parts }
}

/** Writes what was submitted to the session. */
async function recordSubmit(
  tx: Tx,
  { request, terms, method, client, receivedAt }: LinkedContext,
  {
    link,
    checkout,
    payer,
    payee,
    taken,
    now,
  }: ClaimedSubmit & { link: LinkRow; checkout: CheckoutRow; taken: number; now: number },
): Promise<void> {
  const milestones = addReportedMilestones(checkout, request.milliseconds_since, receivedAt)
  milestones.submitted ??= formatInstant(now)
  await updateCheckout(tx, checkout, {
    payment_link_id: link.id,
    options_v: request.options_v,
    account_id: payer.accountId,
    ...payee,
    amount: taken,
    quantity: terms.quantity,
    currency: terms.currency,
    alt_key: terms.altKey,
    description: terms.description,
    payer_comment: terms.payerComment,
    network: payerNetwork(client),
    method_type: method.type,
    processor: method.processor,
    milestones: JSON.stringify(milestones),
    updated: formatInstant(now),
  })
}

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
