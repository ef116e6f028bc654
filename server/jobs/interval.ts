import type { Log } from '../observe/log.ts'

export interface Task {
  name: string
  /** Milliseconds between two rounds. */
  restMs: number
  run: () => Promise<unknown>
}

export interface IntervalTask {
  /** Has the next round begin as soon as the rest after the last one allows. */
  wake: () => void
  /** Ends this, and waits for a round that has begun. */
  stop: () => Promise<void>
}

/**
 * However often a job is woken, it leaves time for others: milliseconds, and a multiple of what its
 * last round took.
 */
const WOKEN_REST_MS = 20
const WOKEN_REST_ROUNDS = 4
const FAILED_REST_MAX_MS = 5000
const TOLD_EVERY_MS = 60_000

/**
 * Runs a round, rests, and runs the next one, until it is stopped. Waking it shortens the rest to
 * four times what the round took, 20 milliseconds at least, but not the rest after a failure.
 *
 * A round that fails is logged, and the next one comes all the same. What fails again and again,
 * as everything does while the database is down, rests twice as long each time, five seconds at
 * most, and is told of once a minute: neither the log nor the database that comes back is flooded.
 */
export function runAtInterval(round: Task, log: Pick<Log, 'error'>): IntervalTask {
  let stopped = false
  let woken = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let endedAt = 0
  let tookMs = 0
  const failures = countFailures(round, log)
  const tick = async () => {
    const begunAt = performance.now()
    try {
      await round.run()
      failures.forget()
    } catch (error) {
      failures.add(error)
    }
    endedAt = performance.now()
    tookMs = endedAt - begunAt
    rest()
  }
  const restMs = () => {
    if (!woken || failures.any()) return failures.restMs()
    return Math.min(round.restMs, Math.max(WOKEN_REST_MS, tookMs * WOKEN_REST_ROUNDS))
  }
  const rest = () => {
    if (stopped) return
    // A rest that a late wake finds over is none, and Node warns of negative ones.
    timer = setTimeout(begin, Math.max(0, endedAt + restMs() - performance.now()))
  }
  const begin = () => {
    timer = undefined
    woken = false
    running = tick()
  }
  begin()
  return {
    wake() {
      if (woken) return
      woken = true
      if (timer === undefined) return
      clearTimeout(timer)
      rest()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** The failures of a job since it last succeeded. */
function countFailures({ name, restMs }: Task, log: Pick<Log, 'error'>) {
  let times = 0
  let toldAt = -Infinity
  return {
    add(error: unknown): void {
      times += 1
      if (times > 1 && performance.now() - toldAt < TOLD_EVERY_MS) return
      toldAt = performance.now()
      log.error({ err: error, job: name, times }, 'job failed')
    },
    forget(): void {
      times = 0
    },
    any: () => times > 0,
    restMs: () => Math.max(restMs, Math.min(FAILED_REST_MAX_MS, restMs * 2 ** times)),
  }
}
