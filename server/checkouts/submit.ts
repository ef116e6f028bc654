import type { SubmitResponse } from '../../shared/page-model.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import { enforceVelocity } from '../card-testing/enforce-limits.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { settleSetup } from '../method-setups/settle.ts'
import { callProcessor } from '../payments/call-processor.ts'
import { cancelOperation } from '../payments/cancel-operation.ts'
import { runOperation } from '../payments/operation.ts'
import { operationPayer } from '../payments/operation-payer.ts'
import { settleAttempt } from '../payments/settle.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { findSessionLink } from '../deep-links/payer-link.ts'
import { isWithdrawn, linkPayability } from '../payment-links/payability.ts'
import {
  type AttemptContext,
  type Refusal,
  requestHash,
  type SubmitContext,
} from './claim-submit.ts'
import { createAttempt, type StoredAttempt } from './create-attempt.ts'
import { resolveSubmittedPayee } from './payee.ts'
import { readTerms } from './charges.ts'
import { checkPayerDetails } from './resolve-account.ts'
import { resolveSubmittedMethod } from './resolve-payment-method.ts'
import { isSumAsShown, resolveCurrency, resolveTerms } from './resolve-terms.ts'
import type { CheckoutSession } from './session.ts'
import { isTrial, startTrial } from './start-trial.ts'
import {
  findSubmission,
  findSubmissionByKey,
  isTrialSetup,
  sessionOf,
  type Submission,
} from './submission.ts'
import { findCheckout } from './store.ts'
import { returnUrl, submitResponse } from './submit-response.ts'

const BUSY: SubmitResponse = { outcome: 'BUSY', message_id: 'status.busy' }
const SESSION_EXPIRED: SubmitResponse = { outcome: 'GONE', message_id: 'errors.session_expired' }
const LINK_UNAVAILABLE: SubmitResponse = { outcome: 'GONE', message_id: 'status.unavailable' }
const TERMS_CHANGED: SubmitResponse = {
  outcome: 'TERMS_CHANGED',
  message_id: 'status.terms_changed',
}

/** Submits in progress in this process, by session and attempt key. A repeat waits for the first. */
const inProgress = new Map<string, Promise<SubmitResponse>>()

/**
 * Pays a link, or begins its free trial. The attempt is stored and the link claimed before the processor
 * is called, and the outcome is stored before it is returned. A repeat with the same `attempt_key` returns the
 * current state of the first attempt and never charges again.
 *
 * Apart from the session's own read, the link is read only where concurrency requires it: `claimLink`
 * decides on its present state, and `explainLostClaim` reads why the claim failed.
 */
export async function submitCheckout(
  deps: Deps,
  session: CheckoutSession,
  request: SubmitBody,
  client: ClientInfo,
): Promise<SubmitResponse> {
  const key = `${session.checkout.id}/${request.attempt_key}`
  const first = inProgress.get(key)
  if (first) {
    await first
    return (await findRepeatedResponse(deps, session, request)) ?? first
  }
  const response = submitOnce(deps, session, request, client)
  inProgress.set(key, response)
  try {
    return await response
  } finally {
    inProgress.delete(key)
  }
}

async function submitOnce(
  deps: Deps,
  session: CheckoutSession,
  request: SubmitBody,
  client: ClientInfo,
): Promise<SubmitResponse> {
  const repeated = await findRepeatedResponse(deps, session, request)
  if (repeated) return repeated
  const context: SubmitContext = { ...session, request, client, receivedAt: deps.now() }
  const challenge = await findOwnChallenge(deps, session)
  const refusal = refusalResponse(context, challenge)
  if (refusal) return refusal

  const { instance, link, checkout } = session
  const { options, charges } = await readTerms(deps.db, link, checkout)
  const currency = resolveCurrency(instance, options, checkout)
  if (charges && !isSumAsShown(options, currency, request)) return TERMS_CHANGED
  const terms = resolveTerms(options, currency, request)
  checkPayerDetails(options, request)
  const rules = { ...terms, through: checkout.processor_id }
  const method = await resolveSubmittedMethod(deps, instance, options, rules, request)
  const release = await enforceVelocity(deps, context)
  try {
    const approved = challenge && (await cancelChallenge(deps, session, challenge))
    if (approved) return approved
    const payee = await resolveSubmittedPayee(deps, session, { request, terms, method })
    return await runSubmit(deps, { ...context, terms, method, payee })
  } finally {
    release()
  }
}

async function runSubmit(deps: Deps, context: AttemptContext): Promise<SubmitResponse> {
  const run = isTrial(context) ? startTrial : attemptPayment
  const submission = await run(deps, context)
  if (typeof submission === 'object') return submitResponse(deps, context.instance, submission.id)
  switch (submission) {
    case 'SESSION_ENDED':
      return SESSION_EXPIRED
    case 'TERMS_CHANGED':
      return TERMS_CHANGED
    case 'REPEATED':
      return (await findRepeatedResponse(deps, context, context.request)) ?? BUSY
    default:
      return explainLostClaim(deps, context)
  }
}

async function attemptPayment(
  deps: Deps,
  context: AttemptContext,
): Promise<{ id: string } | Refusal | undefined> {
  const { stored } = await runOperation(deps, {
    name: 'payment',
    store: async () => {
      const created = await createAttempt(deps, context)
      return typeof created === 'object' ? created : { attempt: undefined, problem: created }
    },
    call: (created, signal) => callForPayment(deps, created, context, signal),
  })
  return stored.attempt ?? stored.problem
}

/** Returns the current response to a submit that was made before, or undefined for a new one. */
async function findRepeatedResponse(
  deps: Deps,
  { instance, checkout }: CheckoutSession,
  request: SubmitBody,
): Promise<SubmitResponse | undefined> {
  const first = await findSubmissionByKey(deps.db, checkout.id, request.attempt_key)
  if (!first) return undefined
  if (first.request_hash !== requestHash(deps, request)) {
    throw invalid('attempt_key', 'was used for another submission')
  }
  return submitResponse(deps, instance, first.id)
}

/**
 * Returns why a submit cannot go ahead, or undefined when it can. A claim of the payer's own
 * unfinished `challenge` is no reason, because the submit cancels it.
 */
function refusalResponse(
  { instance, link, deepLink, checkout, request, receivedAt }: SubmitContext,
  challenge?: Submission,
): SubmitResponse | undefined {
  if (Date.parse(checkout.expires) <= receivedAt) return SESSION_EXPIRED
  const payability = linkPayability({ link, instance, deepLink }, { now: receivedAt })
  switch (payability) {
    case 'WITHDRAWN':
    case 'EXPIRED':
    case 'UNCHARGEABLE':
    case 'EXHAUSTED':
    case 'PAYMENT_SUCCESS':
      return LINK_UNAVAILABLE
    case 'PAYMENT_PENDING':
      return isWithdrawn({ link, instance, deepLink }) ? LINK_UNAVAILABLE : BUSY
    case 'CLAIMED':
    case 'PAYABLE':
      if (link.options_v !== request.options_v) return TERMS_CHANGED
      return payability === 'PAYABLE' || challenge ? undefined : BUSY
  }
}

/** Finds the challenge that holds the link's claim, if this session's payer left it unfinished. */
async function findOwnChallenge(
  deps: Deps,
  { checkout, link: { claim } }: CheckoutSession,
): Promise<Submission | undefined> {
  const claimant = claim === null ? undefined : await findSubmission(deps.db, claim)
  const isOwn = claimant?.state === 'ACTION' && sessionOf(claimant) === checkout.id
  return isOwn ? claimant : undefined
}

/**
 * Cancels an unfinished challenge, so that the payer can pay another way. One that cannot be canceled is
 * set aside: it frees the link, and is refunded if it is approved after the link was paid. Returns a
 * response when the challenge was approved meanwhile, or when the processor does not respond.
 */
async function cancelChallenge(
  deps: Deps,
  { instance }: CheckoutSession,
  challenge: Submission,
): Promise<SubmitResponse | undefined> {
  const { id } = challenge
  const processor = await deps.processors.get(challenge)
  if (!processor) return undefined
  const response = await cancelSubmission(deps, processor, challenge)
  if (response.status === 'UNKNOWN') return BUSY
  const settle = isTrialSetup(challenge) ? settleSetup : settleAttempt
  await settle(deps, id, response, { setAside: true })
  return response.status === 'APPROVED' ? submitResponse(deps, instance, id) : undefined
}

function cancelSubmission(
  deps: Deps,
  processor: Processor,
  challenge: Submission,
): Promise<ProcessorResponse> {
  return isTrialSetup(challenge)
    ? callProcessor(deps, challenge.id, () => processor.cancel(challenge.id))
    : cancelOperation(deps, processor, challenge)
}

/** Returns why another request won the claim: the link changed after it was read. */
async function explainLostClaim(deps: Deps, context: SubmitContext): Promise<SubmitResponse> {
  const checkout = (await findCheckout(deps.db, context.checkout.id)) ?? context.checkout
  const current = await findSessionLink(deps.db, checkout)
  return refusalResponse({ ...context, ...current, checkout }) ?? BUSY
}

async function callForPayment(
  deps: Deps,
  { attempt, payment }: StoredAttempt,
  { terms, method, client }: AttemptContext,
  signal: AbortSignal,
): Promise<ProcessorResponse> {
  const processor = await deps.processors.get(attempt)
  if (!processor) return { status: 'ERROR', message: 'processor is not configured' }
  const { charge, save } = method
  return processor.pay({
    ...(await operationPayer(deps, payment, { processor, save, client })),
    operation: attempt.id,
    merchant: attempt.instance_id,
    amount: terms.amount,
    currency: terms.currency,
    method: charge,
    store: save,
    return_url: returnUrl(deps, attempt),
    signal,
  })
}
