import { Hono } from 'hono'
import { withTimeout } from '../timeout.ts'

/** The conditions of readiness. */
export interface Health {
  /** Rejects when the database cannot be written to. */
  ping: () => Promise<void>
  /** False while the disk is too full for new work. */
  hasDiskSpace: () => boolean
  draining: () => boolean
  /** Whether the process has just started and is not yet as fast as it will be. */
  warmingUp: () => boolean
  /** Whether a new request would be rejected because of the load, whatever its client. */
  isFull: () => boolean
  /** Delay of the event loop in milliseconds. */
  lagMs: () => number
}

const PROBE_MS = 1000
const ANSWER_MS = 2000
const LAG_MAX_MS = 1000

/**
 * `/livez` returns 200 while the event loop is less than a second late. `/readyz` returns 200 while
 * the server can take payments: the database accepts writes, the disk has space, load is not being
 * shed, it has warmed up, and no shutdown has begun. Neither reveals a version.
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
      (await takesWrites()) &&
      health.hasDiskSpace() &&
      !health.draining() &&
      !health.warmingUp() &&
      !health.isFull()
    return c.json({ status: ready ? 'ok' : 'unavailable' }, ready ? 200 : 503)
  })
  return app
}

/** Pings the database at most once a second and never while a ping is pending. */
function createProbe(ping: Health['ping']): () => Promise<boolean> {
  let begun = Number.NEGATIVE_INFINITY
  let pending = false
  let result = Promise.resolve(false)
  return async () => {
    // A monotonic clock: after a clock change, an old result would otherwise be kept.
    if (!pending && performance.now() - begun >= PROBE_MS) {
      begun = performance.now()
      pending = true
      result = ping()
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          pending = false
        })
    }
    // The caller's timeout is shorter than that of the database.
    return withTimeout(result, ANSWER_MS, () => new Error('no answer in time')).catch(() => false)
  }
}
