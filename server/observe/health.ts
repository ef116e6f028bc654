import { Hono } from 'hono'

/** What readiness depends on. */
export interface Health {
  /** Rejects when the database cannot be written to. */
  ping: () => Promise<void>
  /** False while the disk is too full to begin anything new. */
  hasRoom: () => boolean
  draining: () => boolean
  /** Milliseconds by which the event loop is late. */
  lagMs: () => number
}

const PROBE_MS = 1000
const LAG_MAX_MS = 1000

/**
 * `/livez` says that the process runs, and its event loop is less than a second late; `/readyz` that
 * it can take money: the database takes a write, the disk has room, and no shutdown has begun.
 * Neither tells a stranger a version (safety section 3.2).
 */
export function healthRoutes(health: Health): Hono {
  let probed = Number.NEGATIVE_INFINITY
  let writable = false
  const app = new Hono()
  app.get('/livez', (c) => {
    const alive = health.lagMs() < LAG_MAX_MS
    return c.json({ status: alive ? 'ok' : 'unavailable' }, alive ? 200 : 503)
  })
  app.get('/readyz', async (c) => {
    // Not by the clock: one that is set back would keep an old answer for as long.
    if (performance.now() - probed >= PROBE_MS) {
      writable = await health.ping().then(
        () => true,
        () => false,
      )
      probed = performance.now()
    }
    const ready = writable && health.hasRoom() && !health.draining()
    return c.json({ status: ready ? 'ok' : 'unavailable' }, ready ? 200 : 503)
  })
  return app
}
