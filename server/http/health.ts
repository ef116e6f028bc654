import { Hono } from 'hono'
import { withTimeout } from '../timeout.ts'

/** What readiness depends on. */
export interface Health {
  /** Rejects when the database cannot be written to. */
  ping: () => Promise<void>
  /** False while the disk is too full to begin anything new. */
  hasDiskSpace: () => boolean
  draining: () => boolean
  /** Whether a new request would be refused because of too many others, whoever sends it. */
  isFull: () => boolean
  /** Milliseconds by which the event loop is late. */
  lagMs: () => number
}

const PROBE_MS = 1000
const ANSWER_MS = 2000
const LAG_MAX_MS = 1000

/**
 * `/livez` says that the process runs, and its event loop is less than a second late; `/readyz` that
 * it can take money: the database takes a write, the disk has room, requests are not refused for want
 * of capacity, and no shutdown has begun.
 * Neither tells a stranger a version (safety section 3.2).
 */
export function healthRoutes(health: Health): Hono {
  const takesWrites = createProbe(health.ping)
  const app = new Hono()
  app.get('/livez', (c) => {
    const alive = health.lagMs() < LAG_MAX_MS
    return c.json({ status: alive ? 'ok' : 'unavailable' }, alive ? 200 : 503)
  })
  app.get('/readyz', async (c) => {
    const ready =
      (await takesWrites()) && health.hasDiskSpace() && !health.draining() && !health.isFull()
    return c.json({ status: ready ? 'ok' : 'unavailable' }, ready ? 200 : 503)
  })
  return app
}

/** Asks the database once a second at most, and never a second time while it has not answered. */
function createProbe(ping: Health['ping']): () => Promise<boolean> {
  let begun = Number.NEGATIVE_INFINITY
  let isAsking = false
  let answer = Promise.resolve(false)
  return async () => {
    // Not by the clock: one that is set back would keep an old answer for as long.
    if (!isAsking && performance.now() - begun >= PROBE_MS) {
      begun = performance.now()
      isAsking = true
      answer = ping()
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          isAsking = false
        })
    }
    // Whoever asks gives up sooner than a database that hangs is given up.
    return withTimeout(answer, ANSWER_MS, () => new Error('no answer in time')).catch(() => false)
  }
}
