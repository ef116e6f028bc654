import { perDatabase } from '../cache.ts'
import type { WindowSubject } from '../rate-limits/sliding-window.ts'

/** Attempts in progress in this process, by limit and key. */
const inFlight = perDatabase(() => new Map<string, number>())

export interface InFlightSlots {
  /** How many attempts each limit had in progress before this one. */
  before: number[]
  release: () => void
}

/** Counts an attempt as in progress under each of the limits until it is released. */
export function acquireSlots(db: object, limits: readonly WindowSubject[]): InFlightSlots {
  const counts = inFlight(db)
  const keys = limits.map(({ limit, key }) => `${limit.name} ${key}`)
  const before = keys.map((key) => counts.get(key) ?? 0)
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    before,
    release() {
      for (const key of keys) {
        const remaining = (counts.get(key) ?? 1) - 1
        if (remaining > 0) counts.set(key, remaining)
        else counts.delete(key)
      }
    },
  }
}
