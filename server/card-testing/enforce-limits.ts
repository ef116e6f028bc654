import { createHash } from 'node:crypto'
import type { CheckoutMilestones, CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/proof-of-work.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { Deps } from '../deps.ts'
import { ApiError, tooManyRequests } from '../errors.ts'
import { findCounters } from '../rate-limits/counters.ts'
import { countWithin, cooldownIn } from '../rate-limits/sliding-window.ts'
import { acquireSlots } from './in-flight.ts'
import {
  type DeclineLimit,
  deepLinkDeclineLimit,
  linkDeclineLimit,
  networkDeclineLimits,
  payerNetwork,
  protectionCounter,
} from './limits.ts'

/** Different new cards per session, and how long each counts. */
const CARDS_MAX = 3
const CARDS_WITHIN_MS = 15 * 60_000
/** Minimum time between two submits of a session while its instance is protected. */
const PROTECTED_DELAY_MS = 5000
/**
 * Zero bits of the proof of work: about 4000 hashes, some tenths of a second in a browser. It stops
 * replayed requests, not programs that compute it, at little cost for an honest payer's phone.
 */
const WORK_BITS = 12

const TOO_MANY = 'Too many declined payments; try again later'
const TOO_SOON = 'Too soon; try again in a moment'

/** A submit that is about to reach the processor. */
export interface VelocityContext {
  instance: Pick<Instance, 'id' | 'mode'>
  link: { id: string | null; deep_link_id: string | null }
  checkout: CheckoutRow
  request: SubmitBody
  client: ClientInfo
  /** Epoch milliseconds on the instance's clock. */
  receivedAt: number
}

/**
 * Admits a submit, or throws 429 with `Retry-After`. Returns a function to call when the attempt has
 * ended. Repeats of an earlier attempt must not be passed: they return its result.
 */
export async function enforceVelocity(deps: Deps, context: VelocityContext): Promise<() => void> {
  try {
    return await admit(deps, context)
  } catch (error) {
    if (error instanceof ApiError) {
      const network = payerNetwork(context.client)
      deps.security.record('submit_refused', {
        instance: context.instance.id,
        ...(network === null ? {} : { network }),
      })
    }
    throw error
  }
}

async function admit(deps: Deps, context: VelocityContext): Promise<() => void> {
  const attempts = await listPreviousAttempts(deps, context.checkout)
  enforceMinimumDelay(context, attempts, deps.config.payerPauseMs)
  if (!deps.config.cardTestingGuard) return () => {}
  const networkLimits = networkDeclineLimits(context.instance, payerNetwork(context.client))
  // Taken before declines are counted, so that an attempt that ends meanwhile counts at least once.
  const { before, release } = acquireSlots(deps.db, networkLimits)
  try {
    await enforceDeclineLimits(deps, context, { attempts, networkLimits, before })
    return release
  } catch (error) {
    release()
    throw error
  }
}

async function enforceDeclineLimits(
  deps: Deps,
  context: VelocityContext,
  history: {
    attempts: readonly PreviousAttempt[]
    networkLimits: readonly DeclineLimit[]
    /** Attempts in progress under each of the network limits. */
    before: readonly number[]
  },
): Promise<void> {
  const { attempts, networkLimits, before } = history
  const now = deps.realNow()
  const { id, deep_link_id: deepLinkId } = context.link
  const limits = [...(id === null ? [] : [linkDeclineLimit(id)]), ...networkLimits]
  const shared = deepLinkId === null ? [] : [deepLinkDeclineLimit(deepLinkId)]
  const protection = protectionCounter(context.instance.id)
  const subjects = [
    ...[...limits, ...shared].map(({ limit, key }) => ({ name: limit.name, key })),
    protection,
  ]
  const counters = await findCounters(deps.db, subjects, { now })
  const isFirstTry =
    networkLimits.length > 0 &&
    networkLimits.every((each) => countWithin(counters, each, now) === 0)
  const waitMs = cooldownIn(counters, isFirstTry ? limits : [...limits, ...shared], now)
  if (waitMs > 0) throw tooManyRequests(TOO_MANY, waitMs)
  enforceCardLimit(context, attempts)
  if (counters.some(({ name }) => name === protection.name)) requireProofOfWork(context, attempts)
  // Concurrent submits would all pass before the first decline is counted, so attempts in progress
  // count against the remaining declines.
  const isFull = networkLimits.some((watched, index) => {
    return (before[index] ?? 0) + countWithin(counters, watched, now) >= watched.limit.max
  })
  if (isFull) throw tooManyRequests(TOO_SOON, 1000)
}

interface PreviousAttempt {
  id: string
  method_type: string | null
  method_brand: string | null
  method_last4: string | null
  saved_method_id: string | null
  gateway_status: string | null
  created: string
}

/** Returns the session's attempts, oldest first. A session without a submit needs no query. */
async function listPreviousAttempts(deps: Deps, checkout: CheckoutRow): Promise<PreviousAttempt[]> {
  const { submitted } = JSON.parse(checkout.milestones) as CheckoutMilestones
  if (submitted === undefined) return []
  const payments = await deps.db
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select(['attempts.id', 'method_type', 'method_brand', 'method_last4', 'saved_method_id'])
    .select(['transactions.gateway_status', 'attempts.created'])
    .where('checkout_id', '=', checkout.id)
    .where('attempts.instance_id', '=', checkout.instance_id)
    .execute()
  const trials = await deps.db
    .selectFrom('method_setups')
    .select(['id', 'method_type', 'method_brand', 'method_last4'])
    .select(['gateway_status', 'created'])
    .where('session_id', '=', checkout.id)
    .where('instance_id', '=', checkout.instance_id)
    .execute()
  return [...payments, ...trials.map((trial) => ({ ...trial, saved_method_id: null }))].toSorted(
    (a, b) => (a.created < b.created ? -1 : 1),
  )
}

/** Refuses a first submit sooner after the opening than a person can pay. */
function enforceMinimumDelay(
  { checkout, receivedAt }: VelocityContext,
  attempts: readonly PreviousAttempt[],
  delayMs: number,
): void {
  const waitMs = Date.parse(checkout.created) + delayMs - receivedAt
  if (attempts.length === 0 && waitMs > 0) throw tooManyRequests(TOO_SOON, waitMs)
}

/**
 * Refuses a new card after `CARDS_MAX` different ones. Applies to a card that was tried before as
 * well, because the card behind a token is known only after the attempt. Saved methods are exempt.
 */
function enforceCardLimit(
  { request, receivedAt }: VelocityContext,
  attempts: readonly PreviousAttempt[],
): void {
  const { id, type = 'CARD' } = request.payment_method
  if (id !== undefined || type !== 'CARD') return
  const since = formatInstant(receivedAt - CARDS_WITHIN_MS)
  const lastTried = new Map<string, number>()
  for (const attempt of attempts) {
    const isNewCard = attempt.method_type === 'CARD' && attempt.saved_method_id === null
    const reachedIssuer = attempt.gateway_status !== 'DECLINED_ERROR'
    if (!isNewCard || !reachedIssuer || attempt.created <= since) continue
    const isIdentified = attempt.method_last4 !== null
    const card = isIdentified ? `${attempt.method_brand} ${attempt.method_last4}` : attempt.id
    lastTried.set(card, Date.parse(attempt.created))
  }
  if (lastTried.size < CARDS_MAX) return
  const waitMs = Math.min(...lastTried.values()) + CARDS_WITHIN_MS - receivedAt
  throw tooManyRequests(TOO_MANY, waitMs)
}

function requireProofOfWork(
  { checkout, request, receivedAt }: VelocityContext,
  attempts: readonly PreviousAttempt[],
): void {
  const last = Date.parse(attempts.at(-1)?.created ?? checkout.created)
  const waitMs = last + PROTECTED_DELAY_MS - receivedAt
  if (waitMs <= 0 && hasProofOfWork(checkout.id, request)) return
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  throw new ApiError('TOO_MANY_REQUESTS', TOO_SOON, {
    headers: { 'Retry-After': String(seconds), [WORK_HEADER]: String(WORK_BITS) },
  })
}

function hasProofOfWork(checkoutId: string, { attempt_key, proof }: SubmitBody): boolean {
  if (proof === undefined) return false
  const text = workText(checkoutId, attempt_key, proof)
  return zeroBits(createHash('sha256').update(text).digest()) >= WORK_BITS
}
