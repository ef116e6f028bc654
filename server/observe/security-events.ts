import type { SecurityEvent } from '../security-event-types.ts'
import type { Log, LogFields } from './log.ts'

/** Who did it, from where, and on what: never a secret, a path or a query. */
export type SecurityEventFields = Pick<
  LogFields,
  | 'client'
  | 'instance'
  | 'limit'
  | 'method'
  | 'network'
  | 'request'
  | 'route'
  | 'source'
  | 'user'
  | 'waiting'
>

export interface SecurityEvents {
  /** Counts one, and logs it unless its kind has had its lines of this minute. */
  record: (event: SecurityEvent, fields?: SecurityEventFields) => void
  /** How many of each kind this process has counted since it started. */
  counts: () => ReadonlyMap<SecurityEvent, number>
}

/** An attack must not fill the disk with its own description. */
const LINES_PER_MINUTE = 30
const MINUTE_MS = 60_000

/**
 * Counts what the server refuses, and logs a sample of it: the first 30 of a kind in each minute,
 * with `unlogged` saying how many of that kind went unlogged before the line.
 */
export function createSecurityEvents({ log, now }: Source): SecurityEvents {
  const kinds = new Map<SecurityEvent, Kind>()
  return {
    record(event, fields = {}) {
      const kind = kinds.get(event) ?? { count: 0, minute: 0, lines: 0, unlogged: 0 }
      kinds.set(event, kind)
      kind.count += 1
      const minute = Math.floor(now() / MINUTE_MS)
      if (minute !== kind.minute) Object.assign(kind, { minute, lines: 0 })
      if (kind.lines >= LINES_PER_MINUTE) {
        kind.unlogged += 1
        return
      }
      kind.lines += 1
      const unlogged = kind.unlogged > 0 ? { unlogged: kind.unlogged } : {}
      kind.unlogged = 0
      log.warn({ event, ...fields, ...unlogged }, 'refused')
    },
    counts: () => new Map([...kinds].map(([event, { count }]) => [event, count])),
  }
}

interface Source {
  log: Log
  /** Epoch milliseconds. */
  now: () => number
}

interface Kind {
  count: number
  /** Whole minutes since the epoch. */
  minute: number
  lines: number
  unlogged: number
}
