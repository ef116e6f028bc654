/** How often the event loop is felt, milliseconds. */
const BEAT_MS = 250

export interface EventLoopLag {
  /** Milliseconds by which the newest beat came late, or is late by now. */
  lagMs: () => number
  stop: () => void
}

/**
 * Watches how long the event loop keeps everybody waiting. By the monotonic clock, so that a wall
 * clock which jumps says nothing. It keeps no process alive.
 */
export function watchEventLoopLag(): EventLoopLag {
  let beatAt = performance.now()
  let late = 0
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - beatAt - BEAT_MS
    beatAt = now
  }, BEAT_MS)
  timer.unref()
  return {
    lagMs: () => Math.max(0, late, performance.now() - beatAt - BEAT_MS),
    stop: () => clearInterval(timer),
  }
}
