import type { Log } from '../observe/log.ts'

export interface Round {
  name: string
  /** Milliseconds between two rounds. */
  restMs: number
  run: () => Promise<unknown>
}

export interface Repeated {
  /** Has the next round begin at once, or after the one that is running. */
  wake: () => void
  /** Ends this, and waits for a round that has begun. */
  stop: () => Promise<void>
}

/** Milliseconds. However often it is woken, it leaves time for others. */
const WOKEN_REST_MS = 20
const FAILED_REST_MAX_MS = 5000
const TOLD_EVERY_MS = 60_000

/**
 * Runs a round, rests, and runs the next one, until it is stopped. Waking it shortens the rest to
 * 20 milliseconds, but not the rest after a failure.
 *
 * A round that fails is logged, and the next one comes all the same. What fails again and again,
 * as everything does while the database is down, rests twice as long each time, five seconds at
 * most, and is told of once a minute: neither the log nor the database that comes back is flooded.
 */
export function repeat(round: Round, log: Pick<Log, 'error'>): Repeated {
  let stopped = false
  let woken = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const failures = countFailures(round, log)
  const tick = async () => {
    try {
      await round.run()
      failures.forget()
    } catch (error) {
      failures.add(error)
    }
    rest()
  }
  const rest = () => {
    if (stopped) return
    const restMs = failures.restMs()
    timer = setTimeout(begin, woken ? Math.min(restMs, WOKEN_REST_MS) : restMs)
  }
  const begin = () => {
    timer = undefined
    woken = false
    running = tick()
  }
  begin()
  return {
    wake() {
      if (woken || failures.any()) return
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
function countFailures({ name, restMs }: Round, log: Pick<Log, 'error'>) {
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
