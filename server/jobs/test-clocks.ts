import { formatInstant } from '../../shared/rules/time.ts'
import { withClockOf } from '../clock.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { evaluateAlerts } from '../checkout-monitor/evaluate-alerts.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { LockTimeout } from '../db/named-locks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import {
  findInstanceWithMovedClock,
  listMoved,
  moveClock,
  type MovedInstance,
} from '../instances/test-clock-store.ts'
import { nextExpiringCard, queueExpiringCards } from '../mail/queue-expiring-cards.ts'
import { shiftSetupDeadlines } from '../method-setups/store.ts'
import { syncDueSetups } from '../method-setups/sync.ts'
import { shiftCallDeadlines } from '../payments/reconcile-queue.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { recordDeepLinkExpiries } from '../deep-links/expire.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { nextDue } from './next-due-record.ts'

/** Milliseconds of real time for one instance, before the next one. */
const TIME_SLICE_MS = 1000
/** Work creates more work: a charge is created, then collected. It also runs in batches. */
const PASSES_MAX = 20

/** The jobs of one instance, in the order in which they run at the same due time. */
const WORK: readonly ((deps: Deps, moved: string) => Promise<number>)[] = [
  reconcileDue,
  syncDueSetups,
  syncReversals,
  (deps, moved) => createDueCharges(deps, { moved }),
  collectDue,
  recordExpiries,
  recordDeepLinkExpiries,
  closeExpiredSessions,
  evaluateAlerts,
  queueExpiringCards,
]

/**
 * Runs the due work of the instances whose test clock was moved, by their own clocks, and advances
 * the clocks that have not reached their target. Several processes may run at the same time.
 */
export async function runTestClocks(deps: Deps): Promise<void> {
  for (const instance of await listMoved(deps.db)) {
    try {
      if (instance.clock_target === null) await runDueWork(deps, instance)
      else await advanceClock(deps, instance.id)
    } catch (error) {
      deps.log.error({ err: error, instance: instance.id }, 'the jobs of a test clock failed')
    }
  }
}

/** Returns false when due work may be left after PASSES_MAX passes. */
async function runDueWork(deps: Deps, instance: MovedInstance): Promise<boolean> {
  return withClockOf(instance, async () => {
    for (let pass = 0; pass < PASSES_MAX; pass += 1) {
      let done = 0
      for (const work of WORK) done += await work(deps, instance.id)
      if (done === 0) return true
    }
    return false
  })
}

/**
 * Advances a clock towards its target and stops at each due time on the way, so that work runs in
 * order and at its own time. One process does this at a time.
 */
async function advanceClock(deps: Deps, id: string): Promise<void> {
  const advance = async () => {
    const deadline = performance.now() + TIME_SLICE_MS
    while (performance.now() < deadline) {
      const instance = await findInstanceWithMovedClock(deps.db, id)
      if (!instance || instance.clock_target === null) return
      const now = formatInstant(deps.realNow() + instance.clock_offset_ms)
      if (!(await runDueWork(deps, instance))) continue
      if (await advanceToNextDue(deps, { ...instance, now, target: instance.clock_target })) return
    }
    deps.log.debug({ instance: id }, 'a test clock is still moving')
  }
  try {
    await deps.locks.withLock(`test clock ${id}`, { waitMs: 100 }, advance)
  } catch (error) {
    // Another process is advancing it.
    if (!(error instanceof LockTimeout)) throw error
  }
}

/** Advances a clock from `now` to the next due time or its target. Returns true at the target. */
async function advanceToNextDue(
  deps: Deps,
  clock: MovedInstance & { now: string; target: string },
): Promise<boolean> {
  const { id, clock_offset_ms: offset, now, target } = clock
  if (now >= target) {
    await inTransaction(deps.db, (tx) => moveClock(tx, clock, { offsetMs: offset, isThere: true }))
    return true
  }
  const within = { after: now, until: target }
  const [next = target] = [
    await nextDue(deps.db, id, within),
    await nextExpiringCard(deps, id, within),
  ]
    .filter((due) => due !== undefined)
    .toSorted()
  const offsetMs = Math.max(offset, Date.parse(next) - deps.realNow())
  await inTransaction(deps.db, async (tx) => {
    if (!(await moveClock(tx, clock, { offsetMs, isThere: false }))) return
    await shiftCallDeadlines(tx, id, offsetMs - offset)
    await shiftSetupDeadlines(tx, id, offsetMs - offset)
  })
  return false
}
