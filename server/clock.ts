import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The two clocks of a server. `now` is the clock of the current instance, which the test clock of a
 * TEST instance may have moved forward; outside of an instance's work, and for all other instances,
 * both are equal.
 *
 * The instance's clock dates its records and determines what is due: links, sessions, charges,
 * contracts, schedules, collection retries, and queries and settlements of the sandbox.
 *
 * The real clock measures what protects the server or what other systems check: rate limits and
 * lockouts, tokens and sign-ins, idempotency keys, webhook deliveries with their signatures and
 * retries, overlapping secrets, retention, timeouts, and the log.
 */
export interface Clock {
  /** Epoch milliseconds on the clock of the current instance. */
  now: () => number
  /** Epoch milliseconds on the server's clock. */
  realNow: () => number
}

/** Milliseconds by which the clock of the current instance is ahead. */
const ahead = new AsyncLocalStorage<number>()

/** Returns the two clocks of a server. `system` returns epoch milliseconds. */
export function createClock(system: () => number): Clock {
  return { now: () => system() + (ahead.getStore() ?? 0), realNow: system }
}

/** Runs `work`, and everything that it awaits, by the clock of an instance. */
export function withClockOf<R>(instance: { clock_offset_ms: number | null }, work: () => R): R {
  const offset = instance.clock_offset_ms ?? 0
  // Most clocks were never moved, and then no context is needed.
  return offset === (ahead.getStore() ?? 0) ? work() : ahead.run(offset, work)
}

/**
 * Runs `work` by the real clock. A job that is woken by a commit would otherwise run by the clock
 * of the instance that committed.
 */
export function withRealClock<R>(work: () => R): R {
  return withClockOf({ clock_offset_ms: null }, work)
}
