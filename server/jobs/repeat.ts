import type { Log } from '../observe/log.ts'

export interface Round {
  name: string
  /** Milliseconds between two rounds. */
  restMs: number
  run: () => Promise<unknown>
}

const FAILED_REST_MAX_MS = 5000
const TOLD_EVERY_MS = 60_000

/**
 * Runs a round, rests, and runs the next one. Answers a function that ends this and waits for a round
 * that has begun.
 *
 * A round that fails is logged, and the next one comes all the same. What fails again and again,
 * as everything does while the database is down, rests twice as long each time, five seconds at
 * most, and is told of once a minute: neither the log nor the database that comes back is flooded.
 */
export function repeat(round: Round, log: Pick<Log, 'error'>): () => Promise<void> {
  let stopped = false
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
    if (!stopped) timer = setTimeout(begin, failures.restMs())
  }
  const begin = () => {
    running = tick()
  }
  begin()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
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
    restMs: () => Math.max(restMs, Math.min(FAILED_REST_MAX_MS, restMs * 2 ** times)),
  }
}
