import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Two clocks. `realNow` is the server's. `now` is the clock of the instance whose work is being done,
 * which the test clock of a TEST instance may have moved forward; outside of such work, and for every
 * other instance, both say the same.
 *
 * The instance's clock dates its records and decides what is due: links, sessions, charges, contracts,
 * schedules, retries of collections, questions to the sandbox and its settlements.
 *
 * The real clock measures what protects the server or what other systems check by their own clocks: rate
 * limits and lockouts, tokens and sign-ins, idempotency keys, webhook deliveries with their signatures
 * and retries, secrets that overlap, retention, deadlines of calls and locks, and the log.
 */
export interface Clock {
  /** Epoch milliseconds on the clock of the instance that is being worked for. */
  now: () => number
  /** Epoch milliseconds on the server's clock. */
  realNow: () => number
}

/** How far the clock of the instance that is being worked for is ahead, milliseconds. */
const ahead = new AsyncLocalStorage<number>()

/** Returns the two clocks of a server. `system` returns epoch milliseconds. */
export function createClock(system: () => number): Clock {
  return { now: () => system() + (ahead.getStore() ?? 0), realNow: system }
}

/**
 * Does work for an instance by that instance's clock, with everything that the work awaits. Returns
 * what `work` returns.
 */
export function withClockOf<R>(instance: { clock_offset_ms: number | null }, work: () => R): R {
  const offset = instance.clock_offset_ms ?? 0
  // As a rule no clock was ever moved, and then nothing has to be carried along.
  return offset === (ahead.getStore() ?? 0) ? work() : ahead.run(offset, work)
}

/**
 * Does work by the real clock, wherever it is begun: a job that is woken by a commit would otherwise
 * go on by the clock of the instance that committed. Returns what `work` returns.
 */
export function withRealClock<R>(work: () => R): R {
  return withClockOf({ clock_offset_ms: null }, work)
}
