import type { Instance } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { Db, Tx } from '../db/tables.ts'
import { advisoryLock } from '../db/named-locks.ts'
import type { Deps } from '../deps.ts'
import { networkOf, networksAround } from '../rate-limits/client-network.ts'
import {
  countIn,
  countOne,
  type SlidingWindowLimit,
  type Watched,
  watchNetworks,
} from '../rate-limits/sliding-window.ts'
import { incrementCounter, findCounters, type Subject } from '../rate-limits/counters.ts'
import { isPayerAttempt, type PayerAttempt } from '../payments/attempts.ts'
import type { Settled } from '../payments/settle.ts'

/**
 * Declined payments, counted against somebody who tries out stolen cards on a link (safety row 14).
 * A decline counts whenever it comes: at once, after the bank's page, or days later. What never
 * reached an issuer does not, or a processor's bad day would lock out honest payers.
 */

const MINUTE_MS = 60_000

/**
 * Declines of a link, and from a network at an instance, that are told with their reason; where a
 * limit is higher, as many more. An honest payer learns that there is not enough money; a thief who
 * tries one card after the other learns nothing of which of them are real.
 */
const REASONS_MAX = 2
/** What is said of a decline that is given no reason. */
const NO_REASON = 'errors.declined'
/** Reasons that only a real card can be declined for. */
const TELLING = ['errors.insufficient_funds', 'errors.expired_card']

export const PER_LINK: SlidingWindowLimit = {
  name: 'link-declines',
  max: 5,
  withinMs: 15 * MINUTE_MS,
}
/** At one instance: what payers do at one shop must not shut another shop for their network. */
export const PER_NETWORK: SlidingWindowLimit = {
  name: 'network-declines',
  max: 10,
  withinMs: 60 * MINUTE_MS,
}
/**
 * At all instances of a mode together, for a thief who goes from shop to shop. The declines of TEST
 * are made on purpose and are free to make, so they never count for LIVE.
 */
const PER_NETWORK_AND_MODE: SlidingWindowLimit = {
  name: 'network-declines-in-mode',
  max: 100,
  withinMs: 60 * MINUTE_MS,
}

/** An instance is protected when of so many attempts within a day more than this part is declined. */
const SAMPLE = 50
const DECLINED_MAX = 0.7
const SAMPLE_AGE_MS = 24 * 60 * MINUTE_MS
/** Counted from the last decline that found it so. */
const PROTECTED_MS = 15 * MINUTE_MS

/** What stands for a payer's address: a whole network, since addresses are easy to change. */
export function payersNetwork(place: ClientInfo): string | null {
  return networkOf(place.ip, 24) ?? null
}

/** A limit of declines, and how many of them are told with their reason. */
interface WatchedDeclines extends Watched {
  reasonsMax: number
}

/** What the declines of a link are counted against. */
export function watchedLink(linkId: string): WatchedDeclines {
  return { limit: PER_LINK, key: linkId, reasonsMax: REASONS_MAX }
}

/** What the declines of a network are counted against: at the instance and in its mode. */
export function watchedNetworks(
  instance: Pick<Instance, 'id' | 'mode'>,
  network: string | null,
): WatchedDeclines[] {
  if (network === null) return []
  return [
    ...watchNetworks(PER_NETWORK, network, (each) => `${instance.id} ${each}`),
    ...watchNetworks(PER_NETWORK_AND_MODE, network, (each) => `${instance.mode} ${each}`),
  ].map((each) => ({
    ...each,
    reasonsMax: (each.limit.max / PER_NETWORK.max) * REASONS_MAX,
  }))
}

/** The counter that is there as long as an instance is protected. */
export function protectionOf(instanceId: string): Subject {
  return { name: 'protected-instance', key: instanceId }
}

/** The name of a limit that was reached, and the network that reached it. */
export interface Reached {
  limit: string
  network?: string
}

/**
 * Counts a decline in the transaction that records it; anything else that was settled is none.
 * Keeps its reason from the payer when somebody may be testing cards. Returns the limits that it
 * has reached.
 */
export async function countDecline(
  tx: Tx,
  deps: Pick<Deps, 'config'>,
  settled: Settled & { attempt: PayerAttempt },
  now: number,
): Promise<Reached[]> {
  if (!deps.config.cardTestingGuard || !isDecline(settled)) return []
  const { attempt } = settled
  const { network, mode } = await tx
    .selectFrom('checkouts')
    .innerJoin('instances', 'instances.id', 'checkouts.instance_id')
    .select(['checkouts.network', 'instances.mode'])
    .where('checkouts.id', '=', attempt.checkout_id)
    .executeTakeFirstOrThrow()
  const reached: Reached[] = []
  const instance = { id: attempt.instance_id, mode }
  const watched = [watchedLink(attempt.payment_link_id), ...watchedNetworks(instance, network)]
  // Of two that are counted at once neither would see the other. Those of one link never are, since
  // each has moved the link. The widest network holds all that the narrower ones do.
  if (network !== null) {
    const widest = networksAround(network).at(-1)?.network
    await advisoryLock(tx, `declines ${mode} ${widest}`)
  }
  for (const each of watched) {
    if (!(await countOne(tx, each, now))) continue
    const limit = each.limit.name
    reached.push(limit === PER_LINK.name || network === null ? { limit } : { limit, network })
  }
  if (await looksLikeTesting(tx, attempt, watched, now)) await tellNoReason(tx, attempt)
  return reached
}

async function looksLikeTesting(
  tx: Tx,
  attempt: PayerAttempt,
  watched: readonly WatchedDeclines[],
  now: number,
): Promise<boolean> {
  const protection = protectionOf(attempt.instance_id)
  const subjects = watched.map(({ limit, key }) => ({ name: limit.name, key }))
  const counters = await findCounters(tx, [...subjects, protection], { now })
  return (
    counters.some(({ name }) => name === protection.name) ||
    watched.some((each) => countIn(counters, each, now) > each.reasonsMax)
  )
}

async function tellNoReason(tx: Tx, attempt: PayerAttempt): Promise<void> {
  await tx
    .updateTable('attempts')
    .set({ message_id: NO_REASON })
    .where('id', '=', attempt.id)
    .where('instance_id', '=', attempt.instance_id)
    .where('message_id', 'in', TELLING)
    .execute()
}

function isDecline({ outcome }: Settled): boolean {
  return outcome.payment === 'DECLINE' && outcome.gateway === 'DECLINED'
}

/**
 * After a decline was recorded: tells the operator of the limits that it has reached, and protects
 * its instance for a while when most of its payers' newest attempts were declined. That is a guess
 * about many, so whatever goes wrong with it stops nobody's payment.
 */
export async function watchDeclines(
  deps: Deps,
  settled: Settled,
  reached: readonly Reached[],
): Promise<void> {
  const { attempt } = settled
  for (const each of reached) {
    deps.security.record('declines_limited', { ...each, instance: attempt.instance_id })
  }
  if (!deps.config.cardTestingGuard || !isPayerAttempt(attempt) || !isDecline(settled)) return
  const now = deps.realNow()
  try {
    const since = deps.now() - SAMPLE_AGE_MS
    const newest = await listNewest(deps.db, attempt.instance_id, since)
    const declined = newest.filter((status) => status === 'DECLINED').length
    if (newest.length < SAMPLE || declined <= SAMPLE * DECLINED_MAX) return
    const at = { window: '', now, expires: now + PROTECTED_MS }
    if ((await incrementCounter(deps.db, protectionOf(attempt.instance_id), at)) > 1) return
    deps.security.record('card_testing_suspected', {
      instance: attempt.instance_id,
      limit: 'instance-declines',
    })
  } catch (error) {
    deps.log.error({ err: error, instance: attempt.instance_id }, 'declines were not looked at')
  }
}

/** What the processor said of the newest attempts of an instance's payers that have an outcome. */
async function listNewest(db: Db, instanceId: string, since: number): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select('transactions.gateway_status')
    .where('attempts.instance_id', '=', instanceId)
    .where('attempts.checkout_id', 'is not', null)
    .where('attempts.state', '=', 'DONE')
    .where('attempts.created', '>', formatInstant(since))
    .orderBy('attempts.created', 'desc')
    .orderBy('attempts.id', 'desc')
    .limit(SAMPLE)
    .execute()
  return rows.map((row) => row.gateway_status)
}
