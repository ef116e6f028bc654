import { withTimeout } from '../timeout.ts'

/** No turn comes in time: too many wait, or it would take too long. */
export class FairQueueFull extends Error {
  override readonly name = 'TurnTooFar'
}

/** Who takes turns at something of which there are few places. */
export interface FairQueue {
  /**
   * Runs `work` when it is the turn of `who`. Throws TurnTooFar when too many of its own wait
   * already, or when it has waited for LINE_WAIT_MS.
   */
  take<R>(who: string, work: () => Promise<R>): Promise<R>
}

/** Milliseconds that one waits at most. */
export const LINE_WAIT_MS = 10_000

/**
 * Everybody stands in a line of their own, and the lines are served one after the other: one long
 * line delays only those who stand in it. `each` is how many places one may have at a time.
 */
export function createFairQueue({
  places,
  each,
  waitingMax,
}: {
  places: number
  each: number
  waitingMax: number
}): FairQueue {
  /** In the order in which they are served next; none is empty. */
  const lines = new Map<string, Set<() => void>>()
  const holding = new Map<string, number>()
  let taken = 0

  const held = (who: string) => holding.get(who) ?? 0

  function serve(): void {
    for (const [who, line] of lines) {
      if (taken >= places) return
      if (held(who) >= each) continue
      const [next] = line as Iterable<() => void>
      leave(who, next as () => void)
      // Behind all others, for the next turn.
      if (line.size > 0) {
        lines.delete(who)
        lines.set(who, line)
      }
      taken += 1
      holding.set(who, held(who) + 1)
      next?.()
    }
  }

  function leave(who: string, waiting: () => void): boolean {
    const line = lines.get(who)
    const was = line?.delete(waiting) ?? false
    if (line?.size === 0) lines.delete(who)
    return was
  }

  function release(who: string): void {
    taken -= 1
    if (held(who) > 1) holding.set(who, held(who) - 1)
    else holding.delete(who)
    serve()
  }

  return {
    async take(who, work) {
      const line = lines.get(who) ?? new Set()
      if (line.size >= waitingMax) throw new FairQueueFull()
      let begin = () => {}
      const turn = new Promise<void>((resolve) => (begin = resolve))
      const waiting = begin
      line.add(waiting)
      lines.set(who, line)
      serve()
      try {
        await withTimeout(turn, LINE_WAIT_MS, () => new FairQueueFull())
      } catch (error) {
        // Its turn came in the very moment of giving up: the place is for the next.
        if (!leave(who, waiting)) release(who)
        throw error
      }
      try {
        return await work()
      } finally {
        release(who)
      }
    },
  }
}
