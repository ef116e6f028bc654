import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'
import { makeDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due.ts'
import { LOOK_EVERY_MS, createOrphanSearch } from '../payments/orphaned-attempts.ts'
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
  intervalMs: number
  run: (deps: Deps) => Promise<unknown>
  /** Waits while the disk is nearly full. */
  needsDiskSpace?: true
}

const WEBHOOKS_REST_MS = 200

/** What the server does by itself, and how long it rests between two rounds. */
export const JOBS: readonly Job[] = [
  // One look when nothing is due is one probe of a small index.
  { name: 'reconcile', intervalMs: 500, run: reconcileDue },
  // Each processor says how often an instance is asked about; this is how late that may be.
  { name: 'read reversals', intervalMs: 5000, run: syncReversals },
  { name: 'make charges', intervalMs: 1000, run: makeDueCharges, needsDiskSpace: true },
  { name: 'collect charges', intervalMs: 1000, run: collectDue, needsDiskSpace: true },
  { name: 'tell expiries', intervalMs: 1000, run: recordExpiries },
  { name: 'close sessions', intervalMs: 1000, run: closeExpiredSessions },
  { name: 'prune sessions', intervalMs: 3_600_000, run: pruneCheckouts },
  { name: 'prune bundles', intervalMs: 3_600_000, run: pruneBundles },
  { name: 'prune idempotency keys', intervalMs: 600_000, run: pruneIdempotencyKeys },
  { name: 'prune counters', intervalMs: 600_000, run: pruneCounters },
  { name: 'prune buckets', intervalMs: 600_000, run: pruneBuckets },
  { name: 'prune grants', intervalMs: 3_600_000, run: pruneGrants },
  { name: 'prune sign-ins', intervalMs: 3_600_000, run: pruneSessions },
  { name: 'prune events', intervalMs: 3_600_000, run: pruneEvents },
]

/** Does for instances whose test clock was moved what the jobs above do for all others. */
const TEST_CLOCKS: Job = {
  name: 'run test clocks',
  intervalMs: 500,
  run: runTestClocks,
  needsDiskSpace: true,
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
  const begin = ({ name, intervalMs: restMs, run, needsDiskSpace: isNewWork }: Job) => {
    const round = async () => {
      if (!isNewWork || hasDiskSpace()) await withRealClock(() => run(deps))
    }
    return runAtInterval({ name, intervalMs: restMs, run: round }, deps.log)
  }
  const orphans = isSqlite(deps.db) ? [] : [findOrphans()]
  const jobs = [...JOBS, ...orphans, ...more].map(begin)
  const clocks = begin(TEST_CLOCKS)
  outbox.on('clock', clocks.runSoon)
  const stopWebhooks = startWebhooks(deps, begin)
  return async () => {
    outbox.off('clock', clocks.runSoon)
    await Promise.all([...[...jobs, clocks].map(({ stop }) => stop()), stopWebhooks()])
  }
}

/** On SQLite the one server brings forward at its start what the last one left. */
function findOrphans(): Job {
  return { name: 'find orphans', intervalMs: LOOK_EVERY_MS, run: createOrphanSearch() }
}

/**
 * Hands out events and delivers them: at once what this process commits, and within two rests what
 * others do. A round begins what is due and does not wait for it, because receivers may be slow;
 * each attempt that ends wakes the next round, so that a quick receiver gets one after another.
 */
function startWebhooks(deps: Deps, begin: (job: Job) => IntervalTask): () => Promise<void> {
  const fanOut = begin({ name: 'fan out events', intervalMs: WEBHOOKS_REST_MS, run: fanOutEvents })
  const deliverer = createDeliverer(deps, undefined, () => deliver.runSoon())
  const deliver = begin({
    name: 'deliver webhooks',
    intervalMs: WEBHOOKS_REST_MS,
    run: deliverer.start,
  })
  outbox.on('event', fanOut.runSoon).on('delivery', deliver.runSoon)
  return async () => {
    outbox.off('event', fanOut.runSoon).off('delivery', deliver.runSoon)
    await Promise.all([fanOut.stop(), deliver.stop()])
    await deliverer.drain()
  }
}
