import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { incrementCounter } from '../rate-limits/counters.ts'
import { type ExceededLimit, isDecline, type TestedMethod } from './declines.ts'
import { protectionCounter } from './limits.ts'

const MINUTE_MS = 60_000

/** An instance is protected when more than this share of its newest attempts are declined. */
const DECLINED_SHARE_MAX = 0.7
const SAMPLE_SIZE = 50
const SAMPLE_AGE_MS = 24 * 60 * MINUTE_MS
/** Since the last decline that exceeded the share. */
const PROTECTION_MS = 15 * MINUTE_MS

/**
 * Reports exceeded limits to the operator, and protects the instance for a while when most of its
 * newest attempts were declined. Called after the decline is committed; never throws, because the
 * payment does not depend on it.
 */
export async function detectCardTesting(
  deps: Deps,
  tested: TestedMethod,
  exceeded: readonly ExceededLimit[],
): Promise<void> {
  const { instance_id: instance } = tested
  for (const limit of exceeded) {
    deps.security.record('declines_limited', { ...limit, instance })
  }
  if (!deps.config.cardTestingGuard || !isDecline(tested)) return
  try {
    await protectInstance(deps, instance)
  } catch (error) {
    deps.log.error({ err: error, instance }, 'card testing was not checked')
  }
}

async function protectInstance(deps: Deps, instanceId: string): Promise<void> {
  const now = deps.realNow()
  const statuses = await listNewestStatuses(deps.db, instanceId, deps.now() - SAMPLE_AGE_MS)
  const declined = statuses.filter((status) => status === 'DECLINED').length
  if (statuses.length < SAMPLE_SIZE || declined <= SAMPLE_SIZE * DECLINED_SHARE_MAX) return
  const at = { window: '', now, expires: now + PROTECTION_MS }
  if ((await incrementCounter(deps.db, protectionCounter(instanceId), at)) > 1) return
  deps.security.record('card_testing_suspected', {
    instance: instanceId,
    limit: 'instance-declines',
  })
}

/** Returns the gateway statuses of the instance's newest finished attempts by payers. */
async function listNewestStatuses(
  db: Db,
  instanceId: string,
  since: number,
): Promise<(string | null)[]> {
  const after = formatInstant(since)
  const payments = await db
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select(['attempts.id', 'attempts.created', 'transactions.gateway_status'])
    .where('attempts.instance_id', '=', instanceId)
    .where('attempts.checkout_id', 'is not', null)
    .where('attempts.state', '=', 'DONE')
    .where('attempts.created', '>', after)
    .orderBy('attempts.created', 'desc')
    .orderBy('attempts.id', 'desc')
    .limit(SAMPLE_SIZE)
    .execute()
  const trials = await db
    .selectFrom('method_setups')
    .select(['id', 'created', 'gateway_status'])
    .where('instance_id', '=', instanceId)
    .where('payment_link_id', 'is not', null)
    .where('state', '=', 'DONE')
    .where('created', '>', after)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(SAMPLE_SIZE)
    .execute()
  return [...payments, ...trials]
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))
    .slice(0, SAMPLE_SIZE)
    .map((row) => row.gateway_status)
}
