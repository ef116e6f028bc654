export interface WriteAheadLog {
  /** In bytes. */
  size: () => number
  /** Tries to truncate it, which fails while anything reads the file. Resolves in either case. */
  truncate: () => Promise<void>
}

export interface WalBounds {
  /** Size of the log in bytes beyond which reads pause. */
  bytesMax: number
  /** Milliseconds between two checks of the size. */
  checkMs: number
  /** Milliseconds until the next check after a failed truncation: another process reads the file. */
  retryMs: number
}

export const WAL_BOUNDS: WalBounds = { bytesMax: 64_000_000, checkMs: 250, retryMs: 10_000 }

/**
 * SQLite restarts its log only at a moment when nothing reads the file. With overlapping reads there
 * is no such moment and the log grows. When it is too large, new reads therefore wait until the
 * running ones have ended and the log is truncated.
 *
 * Returns a function that runs a read outside of pauses.
 */
export function pauseForWal(
  log: WriteAheadLog,
  { bytesMax, checkMs, retryMs }: WalBounds = WAL_BOUNDS,
): <R>(read: () => Promise<R>) => Promise<R> {
  let running = 0
  let pause: Promise<void> | undefined
  let lastReadEnded = () => {}
  let nextCheck = 0

  function isDue(): boolean {
    if (performance.now() < nextCheck) return false
    nextCheck = performance.now() + checkMs
    return log.size() > bytesMax
  }

  async function truncate(): Promise<void> {
    try {
      if (running > 0) await new Promise<void>((resolve) => (lastReadEnded = resolve))
      await log.truncate()
      if (log.size() > bytesMax) nextCheck = performance.now() + retryMs
    } finally {
      pause = undefined
    }
  }

  return async (read) => {
    if (!pause && isDue()) pause = truncate()
    if (pause) await pause
    running += 1
    try {
      return await read()
    } finally {
      running -= 1
      if (running === 0) lastReadEnded()
    }
  }
}
