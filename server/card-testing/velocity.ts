import { createHash } from 'node:crypto'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/work.ts'
import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { Deps } from '../deps.ts'
import { ApiError, tooManyRequests } from '../errors.ts'
import { countIn, pauseIn, type Watched } from '../rate-limits/sliding-window.ts'
import { findCounters } from '../rate-limits/counters.ts'
import { payerNetwork, protectionCounter, linkLimit, networkLimits } from './declines.ts'
import type { CheckoutSession } from '../checkouts/open-session.ts'
import type { Milestones } from '../checkouts/store.ts'

/**
 * Who may try a card now (safety row 14). A link can be guessed on by nobody, but it is shown to
 * many, and whoever has one can use it to find out which of their stolen cards still work.
 */

/** Different new cards in one session, and how long each counts. */
const CARDS_MAX = 3
const CARDS_WITHIN_MS = 15 * 60_000
/** While its instance is protected, a session waits so long between any two submits. */
const PROTECTED_PAUSE_MS = 5000
/**
 * Zero bits of the proof of work: some 4000 hashes, a few tenths of a second in a page. It does not
 * stop whoever writes a program for it. It stops the many who only replay requests, for the price
 * of a moment on the telephone of an honest payer.
 */
const WORK_BITS = 12

const TOO_MANY = 'Too many declined payments; try again later'
const TOO_SOON = 'Too soon; try again in a moment'

export interface SubmitContext {
  opened: CheckoutSession
  sent: SubmitBody
  /** Where the payer is. */
  place: ClientInfo
  /** Epoch milliseconds on the instance's clock. */
  received: number
}

/**
 * Lets a submit that is about to be tried pass, or refuses it with 429 and `Retry-After`. Answers a
 * function to be called when the try has ended. A repeat of an attempt that was made never comes
 * here: it is told how that one ended.
 */
export async function enforceVelocity(deps: Deps, submitting: SubmitContext): Promise<() => void> {
  try {
    return await admit(deps, submitting)
  } catch (error) {
    if (error instanceof ApiError) {
      const network = payerNetwork(submitting.place)
      deps.security.record('submit_refused', {
        instance: submitting.opened.instance.id,
        ...(network === null ? {} : { network }),
      })
    }
    throw error
  }
}

async function admit(deps: Deps, submitting: SubmitContext): Promise<() => void> {
  const tries = await listPreviousAttempts(deps, submitting.opened)
  enforceMinimumDelay(submitting, tries, deps.config.payerPauseMs)
  if (!deps.config.cardTestingGuard) return () => {}
  // Before the declines are read: a try that ends meanwhile counts as one of them or as under way.
  const { instance } = submitting.opened
  const networks = networkLimits(instance, payerNetwork(submitting.place))
  const { before, leave } = enter(deps.db, networks)
  try {
    await enforceDeclineLimits(deps, submitting, { tries, networks, before })
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

interface Found {
  tries: readonly PreviousAttempt[]
  /** What the declines of the payer's network are counted against. */
  networks: readonly Watched[]
  /** How many tries each of them had under way when this one came. */
  before: readonly number[]
}

async function enforceDeclineLimits(
  deps: Deps,
  submitting: SubmitContext,
  { tries, networks, before }: Found,
): Promise<void> {
  const { opened } = submitting
  const now = deps.realNow()
  const watched = [linkLimit(opened.link.id), ...networks]
  const protection = protectionCounter(opened.instance.id)
  const subjects = [...watched.map(({ limit, key }) => ({ name: limit.name, key })), protection]
  const counters = await findCounters(deps.db, subjects, { now })
  const waitMs = pauseIn(counters, watched, now)
  if (waitMs > 0) throw tooManyRequests(TOO_MANY, waitMs)
  enforceCardLimit(submitting, tries)
  if (counters.some(({ name }) => name === protection.name)) requireProofOfWork(submitting, tries)
  const isFull = networks.some((each, index) => {
    return (before[index] ?? 0) + countIn(counters, each, now) >= each.limit.max
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

/** What was tried in the session, oldest first; the first submit needs no look. */
async function listPreviousAttempts(
  deps: Deps,
  { checkout }: CheckoutSession,
): Promise<PreviousAttempt[]> {
  const { submitted } = JSON.parse(checkout.milestones) as Milestones
  if (submitted === undefined) return []
  return deps.db
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select(['attempts.id', 'method_type', 'method_brand', 'method_last4', 'saved_method_id'])
    .select(['transactions.gateway_status', 'attempts.created'])
    .where('checkout_id', '=', checkout.id)
    .where('attempts.instance_id', '=', checkout.instance_id)
    .orderBy('attempts.created')
    .execute()
}

/** No person reads a page and pays within a second of opening it. */
function enforceMinimumDelay(
  { opened, received }: SubmitContext,
  tries: readonly PreviousAttempt[],
  pauseMs: number,
): void {
  const waitMs = Date.parse(opened.checkout.created) + pauseMs - received
  if (tries.length === 0 && waitMs > 0) throw tooManyRequests(TOO_SOON, waitMs)
}

/**
 * Which card a token stands for is only known after it was tried, so whoever has tried three may
 * not even try one of them again as a new one; a saved method is nobody's guess.
 */
function enforceCardLimit(
  { sent, received }: SubmitContext,
  tries: readonly PreviousAttempt[],
): void {
  const { id, type = 'CARD' } = sent.payment_method
  if (id !== undefined || type !== 'CARD') return
  const since = formatInstant(received - CARDS_WITHIN_MS)
  const lastTried = new Map<string, number>()
  for (const tried of tries) {
    const isNewCard = tried.method_type === 'CARD' && tried.saved_method_id === null
    const reachedIssuer = tried.gateway_status !== 'DECLINED_ERROR'
    if (!isNewCard || !reachedIssuer || tried.created <= since) continue
    const known = tried.method_last4 !== null
    const card = known ? `${tried.method_brand} ${tried.method_last4}` : tried.id
    lastTried.set(card, Date.parse(tried.created))
  }
  if (lastTried.size < CARDS_MAX) return
  const waitMs = Math.min(...lastTried.values()) + CARDS_WITHIN_MS - received
  throw tooManyRequests(TOO_MANY, waitMs)
}

function requireProofOfWork(
  { opened, sent, received }: SubmitContext,
  tries: readonly PreviousAttempt[],
): void {
  const last = Date.parse(tries.at(-1)?.created ?? opened.checkout.created)
  const waitMs = last + PROTECTED_PAUSE_MS - received
  const worked = hasProofOfWork(opened.checkout.id, sent)
  if (worked && waitMs <= 0) return
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

/** Tries of each network, at an instance and in a mode, that this process has under way. */
const underway = new WeakMap<object, Map<string, number>>()

/**
 * A hundred links tried at once would all pass before the first decline is counted. So a network
 * has no more tries under way than it has declines left; the next one comes again in a second.
 */
function enter(db: object, networks: readonly Watched[]): { before: number[]; leave: () => void } {
  const running = underway.get(db) ?? new Map<string, number>()
  underway.set(db, running)
  const keys = networks.map(({ limit, key }) => `${limit.name} ${key}`)
  const before = keys.map((key) => running.get(key) ?? 0)
  for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1)
  return {
    before,
    leave() {
      for (const key of keys) {
        const left = (running.get(key) ?? 1) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    },
  }
}
