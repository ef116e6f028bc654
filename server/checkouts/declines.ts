import { formatInstant } from '../../shared/rules/time.ts'
import type { Place } from '../actor-sessions/store.ts'
import type { Db, Tx } from '../db/tables.ts'
import { holdInTransaction } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { networkOf } from '../limits/address.ts'
import { countIn, countOne } from '../limits/recent.ts'
import type { Limit, Watched } from '../limits/recent.ts'
import { addOne, findCounters } from '../limits/store.ts'
import type { Subject } from '../limits/store.ts'
import { isPayerAttempt } from '../payments/attempts.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import type { Settled } from '../payments/settle.ts'

/**
 * Declined payments, counted against somebody who tries out stolen cards on a link (safety row 14).
 * A decline counts whenever it comes: at once, after the bank's page, or days later. What never
 * reached an issuer does not, or a processor's bad day would lock out honest payers.
 */

const MINUTE_MS = 60_000

/**
 * Declines of a link, and from a network, that are told with their reason. An honest payer learns
 * that there is not enough money; whoever tries one card after the other learns nothing of which of
 * them are real.
 */
const REASONS_MAX = 2
/** What is said of a decline that is given no reason. */
const NO_REASON = 'errors.declined'
/** Reasons that only a real card can be declined for. */
const TELLING = ['errors.insufficient_funds', 'errors.expired_card']

export const PER_LINK: Limit = { name: 'link-declines', max: 5, withinMs: 15 * MINUTE_MS }
export const PER_NETWORK: Limit = { name: 'network-declines', max: 10, withinMs: 60 * MINUTE_MS }

/** An instance is protected when of so many attempts within a day more than this part is declined. */
const SAMPLE = 50
const DECLINED_MAX = 0.7
const SAMPLE_AGE_MS = 24 * 60 * MINUTE_MS
/** Counted from the last decline that found it so. */
const PROTECTED_MS = 15 * MINUTE_MS

/** What stands for a payer's address: a whole network, since addresses are easy to change. */
export function payersNetwork(place: Place): string | null {
  return networkOf(place.ip, 24) ?? null
}

/** Whom a decline of this link from this network counts against. */
export function watchedBy(linkId: string, network: string | null): Watched[] {
  const link = { limit: PER_LINK, key: linkId }
  return network === null ? [link] : [link, { limit: PER_NETWORK, key: network }]
}

/** The counter that is there as long as an instance is protected. */
export function protectionOf(instanceId: string): Subject {
  return { name: 'protected-instance', key: instanceId }
}

/**
 * Counts a decline in the transaction that records it; anything else that was settled is none.
 * Keeps its reason from the payer when somebody may be testing cards. Answers the names of the
 * limits that it has reached.
 */
export async function countDecline(
  tx: Tx,
  deps: Pick<Deps, 'config'>,
  settled: Settled & { attempt: PayerAttempt },
  now: number,
): Promise<string[]> {
  if (!deps.config.cardTestingGuard || !isDecline(settled)) return []
  const { attempt } = settled
  const { network } = await tx
    .selectFrom('checkouts')
    .select('network')
    .where('id', '=', attempt.checkout_id)
    .executeTakeFirstOrThrow()
  const reached: string[] = []
  const watched = watchedBy(attempt.payment_link_id, network)
  // Of two that are counted at once neither would see the other. Those of one link never are, since
  // each has moved the link.
  if (network !== null) await holdInTransaction(tx, `declines ${network}`)
  for (const each of watched) {
    if (await countOne(tx, each, now)) reached.push(each.limit.name)
  }
  if (await looksLikeTesting(tx, attempt, watched, now)) await tellNoReason(tx, attempt)
  return reached
}

async function looksLikeTesting(
  tx: Tx,
  attempt: PayerAttempt,
  watched: readonly Watched[],
  now: number,
): Promise<boolean> {
  const protection = protectionOf(attempt.instance_id)
  const subjects = watched.map(({ limit, key }) => ({ name: limit.name, key }))
  const counters = await findCounters(tx, [...subjects, protection], { now })
  return (
    counters.some(({ name }) => name === protection.name) ||
    watched.some((each) => countIn(counters, each, now) > REASONS_MAX)
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
  reached: readonly string[],
): Promise<void> {
  const { attempt } = settled
  for (const limit of reached) {
    deps.log.warn({ limit, instance: attempt.instance_id }, 'too many declined payments')
  }
  if (!deps.config.cardTestingGuard || !isPayerAttempt(attempt) || !isDecline(settled)) return
  const now = deps.now()
  try {
    const newest = await listNewest(deps.db, attempt.instance_id, now - SAMPLE_AGE_MS)
    const declined = newest.filter((status) => status === 'DECLINED').length
    if (newest.length < SAMPLE || declined <= SAMPLE * DECLINED_MAX) return
    const at = { window: '', now, expires: now + PROTECTED_MS }
    if ((await addOne(deps.db, protectionOf(attempt.instance_id), at)) > 1) return
    deps.log.warn(
      { limit: 'instance-declines', instance: attempt.instance_id },
      'card testing is likely: payers of this instance are slowed down',
    )
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
