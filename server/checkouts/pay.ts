import { createHash, randomBytes } from 'node:crypto'
import type { SubmitAnswer } from '../../shared/page-model.ts'
import { translate } from '../../shared/rules/wording.ts'
import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction, isUniqueViolation } from '../db/tx.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../http/refusal.ts'
import { newId, newReference } from '../ids.ts'
import { ask, callEnds } from '../payments/ask.ts'
import { findAttempt, findAttemptByKey, insertAttempt } from '../payments/attempts.ts'
import type { AttemptRow } from '../payments/attempts.ts'
import type { Consent } from '../payments/settle.ts'
import { insertPayment, insertTransaction } from '../payments/store.ts'
import { linkContent } from '../payment-links/record.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLink } from '../payment-links/store.ts'
import type { LinkRow } from '../payment-links/store.ts'
import { agreeTerms } from './agree.ts'
import type { AgreedTerms } from './agree.ts'
import { answerOf, returnUrl } from './answer.ts'
import { chooseMethod } from './choose.ts'
import type { ChosenMethod } from './choose.ts'
import type { OpenedCheckout } from './open.ts'
import { checkPayer, payerAccount } from './payer.ts'
import { settleCheckout } from './settle.ts'
import { claimLink, updateCheckout } from './store.ts'
import type { Milestones } from './store.ts'
import { currencyOf } from './view.ts'

const BUSY: SubmitAnswer = { outcome: 'BUSY', message_id: 'status.busy' }

/** Submits of this process that are under way, so that a repeat waits for the same answer. */
const running = new Map<string, Promise<SubmitAnswer>>()

/**
 * The payer pressed Pay (contract section 7.3).
 *
 * The attempt is stored, and the link claimed for it, before the processor is called; the answer
 * is recorded before the payer hears it. The same `attempt_key` again gets the same attempt's
 * present truth and never a second charge.
 */
export async function submitCheckout(
  deps: Deps,
  opened: OpenedCheckout,
  sent: SubmitBody,
): Promise<SubmitAnswer> {
  const key = `${opened.checkout.id}/${sent.attempt_key}`
  const already = running.get(key)
  if (already) {
    await already
    return (await repeatedAnswer(deps, opened, sent)) ?? already
  }
  const submit = submitOnce(deps, opened, sent)
  running.set(key, submit)
  try {
    return await submit
  } finally {
    running.delete(key)
  }
}

async function submitOnce(
  deps: Deps,
  opened: OpenedCheckout,
  sent: SubmitBody,
): Promise<SubmitAnswer> {
  const repeated = await repeatedAnswer(deps, opened, sent)
  if (repeated) return repeated
  const received = deps.now()
  await giveUpOwnChallenge(deps, opened)
  // Read again: the session was resumed before this, and anything may have happened since.
  const link = (await findLink(deps.db, opened.link.id)) ?? opened.link
  const refused = refusedAnswer(opened, link, sent, received)
  if (refused) return refused

  const { options } = linkContent(link)
  const terms = agreeTerms(options, currencyOf(opened.instance, options), sent)
  checkPayer(options, sent)
  const method = await chooseMethod(deps, opened.instance, options, sent)
  const attempt = await beginAttempt(deps, { opened, sent, link, terms, method, received })
  if (!attempt) return lostClaim(deps, opened, sent, received)
  if (attempt === 'REPEATED') return (await repeatedAnswer(deps, opened, sent)) ?? BUSY

  deps.failpoint('attempt-stored')
  const answer = await callProcessor(deps, attempt, terms, method)
  deps.failpoint('processor-answered')
  await settleCheckout(deps, attempt.id, answer)
  deps.failpoint('outcome-stored')
  return answerOf(deps, opened.instance, attempt.id)
}

/** The present answer to a submit that was made before; undefined when it is new. */
async function repeatedAnswer(
  deps: Deps,
  opened: OpenedCheckout,
  sent: SubmitBody,
): Promise<SubmitAnswer | undefined> {
  const attempt = await findAttemptByKey(deps.db, opened.checkout.id, sent.attempt_key)
  if (!attempt) return undefined
  if (attempt.request_hash !== requestHash(sent)) {
    throw invalid('attempt_key', 'was used for another submission')
  }
  return answerOf(deps, opened.instance, attempt.id)
}

/** Why this submit cannot go ahead, in the contract's order; undefined when it can. */
function refusedAnswer(
  opened: OpenedCheckout,
  link: LinkRow,
  sent: SubmitBody,
  now: number,
): SubmitAnswer | undefined {
  if (Date.parse(opened.checkout.expires) <= now) {
    return { outcome: 'GONE', message_id: 'errors.session_expired' }
  }
  const status = linkStatus(link, now)
  if (link.archived !== null || status === 'EXPIRED' || status === 'PAYMENT_SUCCESS') {
    return { outcome: 'GONE', message_id: 'errors.link_gone' }
  }
  if (status === 'PAYMENT_PENDING') return BUSY
  if (link.options_v !== sent.options_v) {
    return { outcome: 'TERMS_CHANGED', message_id: 'status.terms_changed' }
  }
  return link.claim === null ? undefined : BUSY
}

/**
 * A payer who came back from the bank's page without finishing, and pays another way, ends the
 * first try: the processor is asked to make sure that it never takes money, and only its word
 * frees the link.
 */
async function giveUpOwnChallenge(deps: Deps, opened: OpenedCheckout): Promise<void> {
  const { claim } = opened.link
  if (claim === null) return
  const attempt = await findAttempt(deps.db, claim)
  if (attempt?.state !== 'ACTION' || attempt.checkout_id !== opened.checkout.id) return
  const processor = deps.processors.get(attempt.processor)
  if (!processor) return
  const answer = await ask(deps, attempt.id, () => processor.cancel(attempt.id))
  if (answer.status !== 'UNKNOWN') await settleCheckout(deps, attempt.id, answer)
}

/** Somebody was faster between the checks and the claim: the link says who and why. */
async function lostClaim(
  deps: Deps,
  opened: OpenedCheckout,
  sent: SubmitBody,
  received: number,
): Promise<SubmitAnswer> {
  const link = (await findLink(deps.db, opened.link.id)) ?? opened.link
  return refusedAnswer(opened, link, sent, received) ?? BUSY
}

interface Beginning {
  opened: OpenedCheckout
  sent: SubmitBody
  link: LinkRow
  terms: AgreedTerms
  method: ChosenMethod
  received: number
}

/**
 * The first transaction: claims the link and stores account, payment, transaction and attempt.
 * Undefined when the claim was lost, and then nothing is written.
 */
async function beginAttempt(
  deps: Deps,
  from: Beginning,
): Promise<AttemptRow | 'REPEATED' | undefined> {
  const now = deps.now()
  const rows = newRows(deps, from, now)
  try {
    return await inTransaction(deps.db, (tx) => storeAttempt(tx, from, rows, now))
  } catch (error) {
    // Another process stored this very attempt_key between our look and our claim.
    if (isUniqueViolation(error)) return 'REPEATED'
    throw error
  }
}

async function storeAttempt(
  tx: Tx,
  from: Beginning,
  rows: ReturnType<typeof newRows>,
  now: number,
): Promise<AttemptRow | undefined> {
  const { opened, sent, terms, method } = from

  const claimed = await claimLink(tx, {
    linkId: from.link.id,
    attemptId: rows.attempt.id,
    optionsVersion: sent.options_v,
    now: formatInstant(from.received),
  })
  if (!claimed) return undefined
  const payer = await payerAccount(tx, opened.instance.id, {
    options: linkContent(claimed).options,
    sent,
    sessionAccount: opened.checkout.account_id,
    save: method.save,
    now,
  })
  await insertPayment(tx, {
    ...rows.payment,
    account_id: payer.accountId,
    payer_details: payer.typed,
  })
  await insertTransaction(tx, { ...rows.transaction, account_id: payer.accountId })
  await insertAttempt(tx, rows.attempt)
  const milestones = JSON.parse(opened.checkout.milestones) as Milestones
  milestones.submitted ??= formatInstant(now)
  await updateCheckout(tx, opened.checkout.id, {
    status: 'SUBMITTED',
    options_v: sent.options_v,
    account_id: payer.accountId,
    amount: terms.amount,
    currency: terms.currency,
    alt_key: terms.altKey,
    description: terms.description,
    payer_comment: terms.payerComment,
    milestones: JSON.stringify(milestones),
    updated: formatInstant(now),
  })
  return rows.attempt
}

function newRows(deps: Deps, from: Beginning, now: number) {
  const { opened, terms, method, link } = from
  const { options } = linkContent(link)
  const created = formatInstant(now)
  const ids = { payment: newId('pay', now), transaction: newId('tr', now) }
  const shared = {
    instance_id: opened.instance.id,
    amount: terms.amount,
    currency: terms.currency,
    status: 'PENDING' as const,
    account_id: null,
    payment_method_id: method.savedMethodId,
    gateway_status: null,
    gateway_message: null,
    gateway_reference: null,
    processed: null,
    created,
    updated: created,
    v: 1,
  }
  const payment = {
    ...shared,
    id: ids.payment,
    type: 'PAYMENT' as const,
    captured_amount: 0,
    refunded_amount: 0,
    alt_key: terms.altKey,
    alt_key_folded: terms.altKey?.normalize('NFC').toLowerCase() ?? null,
    description: terms.description,
    payer_comment: terms.payerComment,
    payer_details: null,
    reference: newReference(),
    source: options.source ?? 'ECOMMERCE',
    channel: options.channel ?? null,
    metadata: '{}',
    payment_link_id: link.id,
    transaction_id: ids.transaction,
    three_ds: null,
  }
  const transaction = {
    ...shared,
    id: ids.transaction,
    type: 'PAYMENT' as const,
    payment_id: ids.payment,
    processor: method.processor,
  }
  const attempt: AttemptRow = {
    id: newId('at', now),
    instance_id: opened.instance.id,
    payment_id: ids.payment,
    transaction_id: ids.transaction,
    payment_link_id: link.id,
    checkout_id: opened.checkout.id,
    attempt_key: from.sent.attempt_key,
    request_hash: requestHash(from.sent),
    handle: randomBytes(24).toString('base64url'),
    returned: null,
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.savedMethodId,
    save: method.save ? 1 : 0,
    reusable: method.reusable ? 1 : 0,
    consent: consentJson(opened, method),
    state: 'SENT',
    action_url: null,
    message_id: 'status.checking',
    method_brand: method.brand,
    method_last4: method.last4,
    // If this process dies now, somebody asks the processor once the call must have ended.
    next_check: formatInstant(callEnds(deps, now)),
    checks: 0,
    created,
    updated: created,
  }
  return { payment, transaction, attempt }
}

/** The sentence of consent in the words of the frozen bundle: what this payer saw. */
function consentJson({ bundle, checkout }: OpenedCheckout, method: ChosenMethod): string | null {
  if (method.consentId === null) return null
  const { language, strings } = bundle
  const text = translate(strings, language, method.consentId, { merchant: checkout.merchant })
  return JSON.stringify({ text, language } satisfies Consent)
}

function callProcessor(deps: Deps, attempt: AttemptRow, terms: AgreedTerms, method: ChosenMethod) {
  return ask(deps, attempt.id, async () => {
    const processor = deps.processors.get(attempt.processor)
    if (!processor) return { status: 'ERROR', message: 'processor is not configured' } as const
    return processor.pay({
      operation: attempt.id,
      amount: terms.amount,
      currency: terms.currency,
      method: method.charge,
      store: method.save,
      return_url: returnUrl(deps, attempt),
    })
  })
}

/** What was submitted, without the security code, which is kept nowhere in any form. */
function requestHash(sent: SubmitBody): string {
  const { csc: _csc, ...method } = sent.payment_method
  return createHash('sha256')
    .update(JSON.stringify({ ...sent, payment_method: method }))
    .digest('hex')
}
