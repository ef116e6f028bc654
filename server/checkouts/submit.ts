import type { AttemptRow, LinkRow } from '../db/rows.ts'
import type { SubmitAnswer } from '../../shared/page-model.ts'
import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { callProcessor } from '../payments/call-processor.ts'
import { findAttempt, findAttemptByKey, type PayerAttempt } from '../payments/attempts.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'
import { type ResolvedTerms, resolveTerms } from './resolve-terms.ts'
import { submitResponse, returnUrl } from './submit-response.ts'
import { createAttempt, type CreateContext, requestHash } from './create-attempt.ts'
import { resolveSubmittedMethod, type SubmittedMethod } from './resolve-payment-method.ts'
import type { CheckoutSession } from './open-session.ts'
import { enforceVelocity } from '../card-testing/velocity.ts'
import { checkPayerDetails } from './resolve-account.ts'
import { settleCheckout } from './on-settled.ts'
import { resolveCurrency } from './view.ts'

const BUSY: SubmitAnswer = { outcome: 'BUSY', message_id: 'status.busy' }
const ENDED: SubmitAnswer = { outcome: 'GONE', message_id: 'errors.session_expired' }

/** Submits of this process that are under way, so that a repeat waits for the same answer. */
const running = new Map<string, Promise<SubmitAnswer>>()

/**
 * The payer pressed Pay, at `place` (contract section 7.3).
 *
 * The attempt is stored, and the link claimed for it, before the processor is called; the answer
 * is recorded before the payer hears it. The same `attempt_key` again gets the same attempt's
 * present truth and never a second charge.
 */
export async function submitCheckout(
  deps: Deps,
  opened: CheckoutSession,
  sent: SubmitBody,
  place: ClientInfo,
): Promise<SubmitAnswer> {
  const key = `${opened.checkout.id}/${sent.attempt_key}`
  const already = running.get(key)
  if (already) {
    await already
    return (await findRepeatedResponse(deps, opened, sent)) ?? already
  }
  const submit = submitOnce(deps, opened, sent, place)
  running.set(key, submit)
  try {
    return await submit
  } finally {
    running.delete(key)
  }
}

async function submitOnce(
  deps: Deps,
  opened: CheckoutSession,
  sent: SubmitBody,
  place: ClientInfo,
): Promise<SubmitAnswer> {
  const repeated = await findRepeatedResponse(deps, opened, sent)
  if (repeated) return repeated
  const received = deps.now()
  // Read again: the session was resumed before this, and anything may have happened since.
  const { link } = (await findLinkAndInstance(deps.db, opened.link.id)) ?? opened
  const challenge = await findOwnChallenge(deps, opened, link)
  const refused = refusalResponse(
    opened,
    challenge ? { ...link, claim: null } : link,
    sent,
    received,
  )
  if (refused) return refused

  const { options } = parseLinkContent(link)
  const currency = resolveCurrency(opened.instance, options, opened.checkout)
  const terms = resolveTerms(options, currency, sent)
  checkPayerDetails(options, sent)
  const method = await resolveSubmittedMethod(deps, opened.instance, options, currency, sent)
  const leave = await enforceVelocity(deps, { opened, sent, place, received })
  try {
    if (challenge) {
      const approved = await cancelChallenge(deps, opened, challenge)
      if (approved) return approved
    }
    return await attemptPayment(deps, { opened, sent, link, terms, method, received, place })
  } finally {
    leave()
  }
}

/** Stores the attempt, asks the processor, and records what it said. */
async function attemptPayment(deps: Deps, from: CreateContext): Promise<SubmitAnswer> {
  const { opened, sent, terms, method, received } = from
  const attempt = await createAttempt(deps, from)
  if (!attempt) return explainLostClaim(deps, opened, sent, received)
  if (attempt === 'ENDED') return ENDED
  if (attempt === 'REPEATED') return (await findRepeatedResponse(deps, opened, sent)) ?? BUSY

  deps.failpoint('attempt-stored')
  const answer = await callForPayment(deps, attempt, terms, method)
  deps.failpoint('processor-answered')
  await settleCheckout(deps, attempt.id, answer)
  deps.failpoint('outcome-stored')
  return submitResponse(deps, opened.instance, attempt.id)
}

/** The present answer to a submit that was made before; undefined when it is new. */
async function findRepeatedResponse(
  deps: Deps,
  opened: CheckoutSession,
  sent: SubmitBody,
): Promise<SubmitAnswer | undefined> {
  const attempt = await findAttemptByKey(deps.db, opened.checkout.id, sent.attempt_key)
  if (!attempt) return undefined
  if (attempt.request_hash !== requestHash(deps, sent)) {
    throw invalid('attempt_key', 'was used for another submission')
  }
  return submitResponse(deps, opened.instance, attempt.id)
}

/** Why this submit cannot go ahead, in the contract's order; undefined when it can. */
function refusalResponse(
  opened: CheckoutSession,
  link: LinkRow,
  sent: SubmitBody,
  now: number,
): SubmitAnswer | undefined {
  if (Date.parse(opened.checkout.expires) <= now) return ENDED
  const status = linkStatus(link, now)
  if (link.archived !== null || status === 'EXPIRED' || status === 'PAYMENT_SUCCESS') {
    return { outcome: 'GONE', message_id: 'status.unavailable' }
  }
  if (status === 'PAYMENT_PENDING') return BUSY
  if (link.options_v !== sent.options_v) {
    return { outcome: 'TERMS_CHANGED', message_id: 'status.terms_changed' }
  }
  return link.claim === null ? undefined : BUSY
}

/** The bank's page that this very session's payer left open, if that is what holds the link. */
async function findOwnChallenge(
  deps: Deps,
  { checkout }: CheckoutSession,
  { claim }: LinkRow,
): Promise<AttemptRow | undefined> {
  const attempt = claim === null ? undefined : await findAttempt(deps.db, claim)
  return attempt?.state === 'ACTION' && attempt.checkout_id === checkout.id ? attempt : undefined
}

/**
 * A payer who came back from the bank's page without finishing, and pays another way, ends the
 * first try: the processor is asked to make sure that it never takes money, and only its word
 * frees the link. Answers for the first try when it was too late to end it.
 */
async function cancelChallenge(
  deps: Deps,
  opened: CheckoutSession,
  attempt: AttemptRow,
): Promise<SubmitAnswer | undefined> {
  const processor = deps.processors.get(attempt.processor)
  if (!processor) return undefined
  const answer = await callProcessor(deps, attempt.id, () => processor.cancel(attempt.id))
  if (answer.status === 'UNKNOWN') return BUSY
  await settleCheckout(deps, attempt.id, answer)
  return answer.status === 'APPROVED'
    ? submitResponse(deps, opened.instance, attempt.id)
    : undefined
}

/** Somebody was faster between the checks and the claim: the link says who and why. */
async function explainLostClaim(
  deps: Deps,
  opened: CheckoutSession,
  sent: SubmitBody,
  received: number,
): Promise<SubmitAnswer> {
  const { link } = (await findLinkAndInstance(deps.db, opened.link.id)) ?? opened
  return refusalResponse(opened, link, sent, received) ?? BUSY
}

function callForPayment(
  deps: Deps,
  attempt: PayerAttempt,
  terms: ResolvedTerms,
  method: SubmittedMethod,
) {
  return callProcessor(deps, attempt.id, async () => {
    const processor = deps.processors.get(attempt.processor)
    if (!processor) return { status: 'ERROR', message: 'processor is not configured' } as const
    return processor.pay({
      operation: attempt.id,
      merchant: attempt.instance_id,
      amount: terms.amount,
      currency: terms.currency,
      method: method.charge,
      store: method.save,
      return_url: returnUrl(deps, attempt),
    })
  })
}
