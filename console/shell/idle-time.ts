/** How long before the end of an idle session its user is warned. */
export const WARN_MS = 2 * 60_000

/** What an idle session comes to at some moment: nothing yet, a warning, or its end. */
export type IdleState = { kind: 'active' } | { kind: 'warned'; minutes: number } | { kind: 'over' }

/** Returns the state of a session. Times are epoch milliseconds; `idleMs` is how long it may be idle. */
export function idleState(at: { now: number; active: number; idleMs: number }): IdleState {
  const left = at.active + at.idleMs - at.now
  if (left <= 0) return { kind: 'over' }
  return left <= WARN_MS
    ? { kind: 'warned', minutes: Math.ceil(left / 60_000) }
    : { kind: 'active' }
}
