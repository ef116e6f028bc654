import type { Tx } from '../db/tables.ts'
import { advisoryLock } from '../db/named-locks.ts'
import type { Deps } from '../deps.ts'
import { surroundingNetworks } from '../rate-limits/client-network.ts'
import { findCounters } from '../rate-limits/counters.ts'
import { countWithin, countHit } from '../rate-limits/sliding-window.ts'
import {
  DEEP_LINK_DECLINES,
  type DeclineLimit,
  deepLinkDeclineLimit,
  LINK_DECLINES,
  linkDeclineLimit,
  networkDeclineLimits,
  protectionCounter,
} from './limits.ts'

/** The message that replaces a hidden reason. */
const GENERIC_REASON = 'errors.declined'
/** Reasons that prove that a card exists. */
const REVEALING_REASONS = ['errors.insufficient_funds', 'errors.expired_card']

export interface ExceededLimit {
  limit: string
  network?: string
}

/** A payer's attempt to pay or to begin a free trial, with its outcome. */
export interface TestedMethod {
  /** Of the attempt (`at_`) or set-up (`st_`). */
  id: string
  instance_id: string
  payment_link_id: string
  checkout_id: string
  status: string
  gateway_status: string | null
}

/** Whether an issuer declined the method. Technical failures are no sign of card testing. */
export function isDecline(tested: Pick<TestedMethod, 'status' | 'gateway_status'>): boolean {
  return tested.status === 'DECLINE' && tested.gateway_status === 'DECLINED'
}

/**
 * Counts a decline in the transaction that records it, and hides its reason when the payer may be
 * testing cards. Ignores other outcomes. Returns the limits that are now exceeded.
 */
export async function countDecline(
  tx: Tx,
  deps: Pick<Deps, 'config'>,
  tested: TestedMethod,
  now: number,
): Promise<ExceededLimit[]> {
  if (!deps.config.cardTestingGuard || !isDecline(tested)) return []
  const {
    network,
    mode,
    deep_link_id: deepLinkId,
  } = await tx
    .selectFrom('checkouts')
    .innerJoin('instances', 'instances.id', 'checkouts.instance_id')
    .select(['checkouts.network', 'checkouts.deep_link_id', 'instances.mode'])
    .where('checkouts.id', '=', tested.checkout_id)
    .executeTakeFirstOrThrow()
  const instance = { id: tested.instance_id, mode }
  const limits = [
    linkDeclineLimit(tested.payment_link_id),
    ...(deepLinkId === null ? [] : [deepLinkDeclineLimit(deepLinkId)]),
    ...networkDeclineLimits(instance, network),
  ]
  // Concurrent transactions would not see each other's declines. The lock on the widest network
  // covers the narrower ones; declines of one link are serialized by the update of the link, and
  // those of a deep link by its lock.
  if (network !== null) {
    const widest = surroundingNetworks(network).at(-1)?.network
    await advisoryLock(tx, `declines ${mode} ${widest}`)
  }
  const exceeded: ExceededLimit[] = []
  for (const watched of limits) {
    if (!(await countHit(tx, watched, now))) continue
    const limit = watched.limit.name
    const isOfLink = limit === LINK_DECLINES.name || limit === DEEP_LINK_DECLINES.name
    exceeded.push(isOfLink || network === null ? { limit } : { limit, network })
  }
  if (await mayBeCardTesting(tx, tested, limits, now)) await hideDeclineReason(tx, tested)
  return exceeded
}

async function mayBeCardTesting(
  tx: Tx,
  { instance_id }: TestedMethod,
  limits: readonly DeclineLimit[],
  now: number,
): Promise<boolean> {
  const protection = protectionCounter(instance_id)
  const subjects = limits.map(({ limit, key }) => ({ name: limit.name, key }))
  const counters = await findCounters(tx, [...subjects, protection], { now })
  return (
    counters.some(({ name }) => name === protection.name) ||
    limits.some((limit) => countWithin(counters, limit, now) > limit.reasonsMax)
  )
}

async function hideDeclineReason(tx: Tx, { id, instance_id }: TestedMethod): Promise<void> {
  await tx
    .updateTable(id.startsWith('st_') ? 'method_setups' : 'attempts')
    .set({ message_id: GENERIC_REASON })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('message_id', 'in', REVEALING_REASONS)
    .execute()
}
