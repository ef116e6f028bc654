import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due.ts'
import { SEARCH_INTERVAL_MS, createOrphanSearch } from '../payments/orphaned-attempts.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { withRealClock } from '../clock.ts'
import { isSqlite } from '../db/dialect.ts'
import type { Deps } from '../deps.ts'
import type { HasDiskSpace } from '../observe/disk-space.ts'
import { pruneEvents } from '../events/prune.ts'
import { pruneIdempotencyKeys } from '../http/idempotency-store.ts'
import { pruneBuckets } from '../rate-limits/token-bucket-sync.ts'
import { pruneCounters } from '../rate-limits/counters.ts'
import { pruneGrants } from '../oauth/prune.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { pruneSessions } from '../users/prune.ts'
import { outbox } from '../events/outbox.ts'
import { runAtInterval, type IntervalTask } from './interval.ts'
import { runTestClocks } from './test-clocks.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'

export interface Job {
  name: string
  restMs: number
  run: (deps: Deps) => Promise<unknown>
  /** Waits while the disk is nearly full. */
  isNewWork?: true
}

const WEBHOOKS_REST_MS = 200

/** What the server does by itself, and how long it rests between two rounds. */
export const JOBS: readonly Job[] = [
  // One look when nothing is due is one probe of a small index.
  { name: 'reconcile', restMs: 500, run: reconcileDue },
  // Each processor says how often an instance is asked about; this is how late that may be.
  { name: 'read reversals', restMs: 5000, run: syncReversals },
  { name: 'make charges', restMs: 1000, run: createDueCharges, isNewWork: true },
  { name: 'collect charges', restMs: 1000, run: collectDue, isNewWork: true },
  { name: 'tell expiries', restMs: 1000, run: recordExpiries },
  { name: 'close sessions', restMs: 1000, run: closeExpiredSessions },
  { name: 'prune sessions', restMs: 3_600_000, run: pruneCheckouts },
  { name: 'prune bundles', restMs: 3_600_000, run: pruneBundles },
  { name: 'prune idempotency keys', restMs: 600_000, run: pruneIdempotencyKeys },
  { name: 'prune counters', restMs: 600_000, run: pruneCounters },
  { name: 'prune buckets', restMs: 600_000, run: pruneBuckets },
  { name: 'prune grants', restMs: 3_600_000, run: pruneGrants },
  { name: 'prune sign-ins', restMs: 3_600_000, run: pruneSessions },
  { name: 'prune events', restMs: 3_600_000, run: pruneEvents },
]

/** Does for instances whose test clock was moved what the jobs above do for all others. */
const TEST_CLOCKS: Job = {
  name: 'run test clocks',
  restMs: 500,
  run: runTestClocks,
  isNewWork: true,
}

/**
 * Runs the jobs for as long as the server runs, with `more` that processors have of their own.
 * Returns a function that stops them and waits for rounds that have begun.
 */
export function startJobs(
  deps: Deps,
  {
    hasDiskSpace = () => true,
    more = [],
  }: { hasDiskSpace?: HasDiskSpace; more?: readonly Job[] } = {},
): () => Promise<void> {
  const begin = ({ name, restMs, run, isNewWork }: Job) => {
    const round = async () => {
      if (!isNewWork || hasDiskSpace()) await withRealClock(() => run(deps))
    }
    return runAtInterval({ name, restMs, run: round }, deps.log)
  }
  const orphans = isSqlite(deps.db) ? [] : [findOrphans()]
  const jobs = [...JOBS, ...orphans, ...more].map(begin)
  const clocks = begin(TEST_CLOCKS)
  outbox.on('clock', clocks.wake)
  const stopWebhooks = startWebhooks(deps, begin)
  return async () => {
    outbox.off('clock', clocks.wake)
    await Promise.all([...[...jobs, clocks].map(({ stop }) => stop()), stopWebhooks()])
  }
}

/** On SQLite the one server brings forward at its start what the last one left. */
function findOrphans(): Job {
  return { name: 'find orphans', restMs: SEARCH_INTERVAL_MS, run: createOrphanSearch() }
}

/**
 * Hands out events and delivers them: at once what this process commits, and within two rests what
 * others do. A round begins what is due and does not wait for it, because receivers may be slow;
 * each attempt that ends wakes the next round, so that a quick receiver gets one after another.
 */
function startWebhooks(deps: Deps, begin: (job: Job) => IntervalTask): () => Promise<void> {
  const fanOut = begin({ name: 'fan out events', restMs: WEBHOOKS_REST_MS, run: fanOutEvents })
  const deliverer = createDeliverer(deps, undefined, () => deliver.wake())
  const deliver = begin({
    name: 'deliver webhooks',
    restMs: WEBHOOKS_REST_MS,
    run: deliverer.begin,
  })
  outbox.on('event', fanOut.wake).on('delivery', deliver.wake)
  return async () => {
    outbox.off('event', fanOut.wake).off('delivery', deliver.wake)
    await Promise.all([fanOut.stop(), deliver.stop()])
    await deliverer.ended()
  }
}
