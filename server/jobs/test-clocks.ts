import { formatInstant } from '../../shared/rules/time.ts'
import { withClockOf } from '../clock.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { LockTimeout } from '../db/named-locks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import {
  findMoved,
  listMoved,
  moveClock,
  type MovedInstance,
} from '../instances/test-clock-store.ts'
import { shiftCallDeadlines } from '../payments/reconcile-queue.ts'
import { collectDue } from '../payments/collect-due.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { nextDue } from './next-due.ts'

/** Milliseconds of real time after which other instances have their turn. */
const ROUND_MS = 1000
/** Work makes more work, as a charge is made and then collected, and is done in batches. */
const PASSES_MAX = 20

/** What falls due of one instance, in the order in which it is done where it falls due together. */
const WORK: readonly ((deps: Deps, moved: string) => Promise<number>)[] = [
  reconcileDue,
  syncReversals,
  (deps, moved) => createDueCharges(deps, { moved }),
  collectDue,
  recordExpiries,
  closeExpiredSessions,
]

/**
 * Does what is due of the instances whose test clock was moved, each by its own clock, and moves on the
 * clocks that have not reached their target. Several processes may do this at the same time.
 */
export async function runTestClocks(deps: Deps): Promise<void> {
  for (const instance of await listMoved(deps.db)) {
    try {
      if (instance.clock_target === null) await doDueWork(deps, instance)
      else await moveOn(deps, instance.id)
    } catch (error) {
      deps.log.error({ err: error, instance: instance.id }, 'test clock was not followed')
    }
  }
}

/** Returns whether all that is due has been done; false when there is so much that more may be left. */
async function doDueWork(deps: Deps, instance: MovedInstance): Promise<boolean> {
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
 * Moves a clock towards its target, stopping at everything that falls due on the way, so that it
 * happens in order and at its own time. One process does this at a time.
 */
async function moveOn(deps: Deps, id: string): Promise<void> {
  const steps = async () => {
    const ends = performance.now() + ROUND_MS
    while (performance.now() < ends) {
      const instance = await findMoved(deps.db, id)
      if (!instance || instance.clock_target === null) return
      const now = formatInstant(deps.realNow() + instance.clock_offset_ms)
      if (!(await doDueWork(deps, instance))) continue
      if (await step(deps, { ...instance, now, target: instance.clock_target })) return
    }
    deps.log.debug({ instance: id }, 'a test clock is still moving')
  }
  try {
    await deps.locks.withLock(`test clock ${id}`, { waitMs: 100 }, steps)
  } catch (error) {
    // Another process is moving it.
    if (!(error instanceof LockTimeout)) throw error
  }
}

/**
 * Takes a clock that said `now` to the next due time, or to its target. True when it was there, and all
 * that was due then has been done.
 */
async function step(
  deps: Deps,
  clock: MovedInstance & { now: string; target: string },
): Promise<boolean> {
  const { id, clock_offset_ms: offset, now, target } = clock
  if (now >= target) {
    await inTransaction(deps.db, (tx) => moveClock(tx, clock, { offsetMs: offset, isThere: true }))
    return true
  }
  const next = (await nextDue(deps.db, id, { after: now, until: target })) ?? target
  const offsetMs = Math.max(offset, Date.parse(next) - deps.realNow())
  await inTransaction(deps.db, async (tx) => {
    if (!(await moveClock(tx, clock, { offsetMs, isThere: false }))) return
    await shiftCallDeadlines(tx, id, offsetMs - offset)
  })
  return false
}
