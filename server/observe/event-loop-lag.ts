const INTERVAL_MS = 250

export interface EventLoopLag {
  /** Milliseconds by which the last timer was late, or the current one is late so far. */
  lagMs: () => number
  stop: () => void
}

/** Measures the event loop's delay with a timer on the monotonic clock. Keeps no process alive. */
export function watchEventLoopLag(): EventLoopLag {
  let firedAt = performance.now()
  let lateMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    lateMs = now - firedAt - INTERVAL_MS
    firedAt = now
  }, INTERVAL_MS)
  timer.unref()
  return {
    lagMs: () => Math.max(0, lateMs, performance.now() - firedAt - INTERVAL_MS),
    stop: () => clearInterval(timer),
  }
}
