import { closeRunOutSessions } from '../checkouts/close.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'
import { makeDueCharges } from '../charges/from-contract.ts'
import { collectDue } from '../payments/collect.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import type { Deps } from '../deps.ts'
import { pruneEvents } from '../events/prune.ts'
import { pruneIdempotencyKeys } from '../http/idempotency-keys.ts'
import { pruneBuckets, shareBuckets } from '../limits/share.ts'
import { pruneCounters } from '../limits/store.ts'
import { pruneGrants } from '../oauth/prune.ts'
import { tellExpiries } from '../payment-links/expire.ts'
import { pruneSessions } from '../users/prune.ts'
import { repeat } from './repeat.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'

export interface Job {
  name: string
  restMs: number
  run: (deps: Deps) => Promise<unknown>
  /** Waits while the disk is nearly full. */
  isNewWork?: true
}

/** What the server does by itself, and how long it rests between two rounds. */
export const JOBS: readonly Job[] = [
  // One look when nothing is due is one probe of a small index.
  { name: 'reconcile', restMs: 500, run: reconcileDue },
  { name: 'make charges', restMs: 1000, run: makeDueCharges, isNewWork: true },
  { name: 'collect charges', restMs: 1000, run: collectDue, isNewWork: true },
  { name: 'tell expiries', restMs: 1000, run: tellExpiries },
  { name: 'close sessions', restMs: 1000, run: closeRunOutSessions },
  { name: 'prune sessions', restMs: 3_600_000, run: pruneCheckouts },
  { name: 'prune bundles', restMs: 3_600_000, run: pruneBundles },
  { name: 'prune idempotency keys', restMs: 600_000, run: pruneIdempotencyKeys },
  { name: 'prune counters', restMs: 600_000, run: pruneCounters },
  { name: 'share limits', restMs: 1000, run: shareBuckets },
  { name: 'prune buckets', restMs: 600_000, run: pruneBuckets },
  { name: 'prune grants', restMs: 3_600_000, run: pruneGrants },
  { name: 'prune sign-ins', restMs: 3_600_000, run: pruneSessions },
  // Two rests lie between a change and its webhook, which is to leave within a second.
  { name: 'fan out events', restMs: 200, run: fanOutEvents },
  { name: 'prune events', restMs: 3_600_000, run: pruneEvents },
]

/**
 * Runs the jobs for as long as the server runs, with `more` that processors have of their own.
 * Returns a function that stops them and waits for rounds that have begun.
 */
export function startJobs(deps: Deps, more: readonly Job[] = []): () => Promise<void> {
  const deliverer = createDeliverer(deps)
  // A round begins what is due and waits for the first of it alone: receivers may be slow.
  const deliver: Job = {
    name: 'deliver webhooks',
    restMs: 20,
    async run() {
      await deliverer.begin()
      // Whoever takes quickly is sent the next at once, and is not kept to a few in each round.
      await deliverer.room(200)
    },
  }
  const stops = [...JOBS, ...more, deliver].map(({ name, restMs, run, isNewWork }) => {
    const round = async () => {
      if (!isNewWork || deps.hasRoom()) await run(deps)
    }
    return repeat({ name, restMs, run: round }, deps.log)
  })
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await deliverer.ended()
  }
}
