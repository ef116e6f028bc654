import { withTimeout } from './timeout.ts'

/** Too many tasks of the same key wait, or the task waited too long. */
export class FairQueueFull extends Error {
  override readonly name = 'FairQueueFull'
}

export interface FairQueue {
  /**
   * Runs `work` when a slot is free for `key`. Throws FairQueueFull when too many of the key's own
   * tasks wait already, and what `timedOut` returns after `waitMs` (QUEUE_TIMEOUT_MS by default).
   */
  run<R>(key: string, work: () => Promise<R>, wait?: Wait): Promise<R>
}

interface Wait {
  waitMs?: number
  timedOut?: () => Error
}

export const QUEUE_TIMEOUT_MS = 10_000

/**
 * Creates a queue for each key and serves the queues in turn, so that a long queue delays only its
 * own key. `slotsPerKey` is the number of slots that one key may use at a time.
 */
export function createFairQueue({
  slots,
  slotsPerKey,
  waitingMax = Infinity,
}: {
  slots: number
  slotsPerKey: number
  waitingMax?: number
}): FairQueue {
  /** In the order in which they are served next; none is empty. */
  const queues = new Map<string, Set<() => void>>()
  const running = new Map<string, number>()
  let taken = 0

  const runningOf = (key: string) => running.get(key) ?? 0

  function serve(): void {
    for (const [key, queue] of queues) {
      if (taken >= slots) return
      if (runningOf(key) >= slotsPerKey) continue
      const [next] = queue as Iterable<() => void>
      remove(key, next as () => void)
      // The key's next task goes behind all other keys.
      if (queue.size > 0) {
        queues.delete(key)
        queues.set(key, queue)
      }
      taken += 1
      running.set(key, runningOf(key) + 1)
      next?.()
    }
  }

  function remove(key: string, start: () => void): boolean {
    const queue = queues.get(key)
    const wasWaiting = queue?.delete(start) ?? false
    if (queue?.size === 0) queues.delete(key)
    return wasWaiting
  }

  function release(key: string): void {
    taken -= 1
    if (runningOf(key) > 1) running.set(key, runningOf(key) - 1)
    else running.delete(key)
    serve()
  }

  return {
    async run(key, work, { waitMs = QUEUE_TIMEOUT_MS, timedOut = () => new FairQueueFull() } = {}) {
      const queue = queues.get(key) ?? new Set()
      if (queue.size >= waitingMax) throw new FairQueueFull()
      let start = () => {}
      const started = new Promise<void>((resolve) => (start = resolve))
      const waiting = start
      queue.add(waiting)
      queues.set(key, queue)
      serve()
      try {
        await withTimeout(started, waitMs, timedOut)
      } catch (error) {
        // The slot arrived at the moment of the timeout: pass it on.
        if (!remove(key, waiting)) release(key)
        throw error
      }
      try {
        return await work()
      } finally {
        release(key)
      }
    },
  }
}
