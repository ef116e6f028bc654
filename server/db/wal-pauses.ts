/** How reading pauses now and then, so that SQLite can empty its write-ahead log. */

/** The write-ahead log of a SQLite file. */
export interface WriteAheadLog {
  /** Bytes of its file now. */
  size: () => number
  /** Tries to empty it, which fails while anything reads the file; resolves in either case. */
  empty: () => Promise<void>
}

export interface LogBounds {
  /** Bytes of the log beyond which reading pauses. */
  bytesMax: number
  /** Milliseconds between two looks at its size. */
  lookMs: number
  /** Milliseconds until the next look when a pause was of no use: another process reads the file. */
  retryMs: number
}

export const LOG_BOUNDS: LogBounds = { bytesMax: 64_000_000, lookMs: 250, retryMs: 10_000 }

/**
 * SQLite writes its log from the start again only at a moment when nothing reads the file. Reads that
 * overlap leave no such moment, and the log would grow for as long as they go on. So when it is too
 * large, no read begins until those that have begun have ended and the log has been emptied.
 *
 * Returns a function that runs one read, when there is no pause. It returns what `read` returns, and
 * throws what it throws.
 */
export function pauseForWal(
  log: WriteAheadLog,
  { bytesMax, lookMs, retryMs }: LogBounds = LOG_BOUNDS,
): <R>(read: () => Promise<R>) => Promise<R> {
  let running = 0
  let pause: Promise<void> | undefined
  let lastHasEnded = () => {}
  let nextLook = 0

  function isDue(): boolean {
    if (performance.now() < nextLook) return false
    nextLook = performance.now() + lookMs
    return log.size() > bytesMax
  }

  async function empty(): Promise<void> {
    try {
      if (running > 0) await new Promise<void>((resolve) => (lastHasEnded = resolve))
      await log.empty()
      if (log.size() > bytesMax) nextLook = performance.now() + retryMs
    } finally {
      pause = undefined
    }
  }

  return async (read) => {
    if (!pause && isDue()) pause = empty()
    if (pause) await pause
    running += 1
    try {
      return await read()
    } finally {
      running -= 1
      if (running === 0) lastHasEnded()
    }
  }
}
