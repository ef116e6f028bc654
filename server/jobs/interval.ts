import type { Log } from '../observe/log.ts'

export interface Task {
  name: string
  /** Milliseconds between the end of a run and the next one. */
  intervalMs: number
  run: () => Promise<unknown>
}

export interface IntervalTask {
  /** Starts the next run as early as the pause after the last run allows. */
  runSoon: () => void
  /** Stops the task and waits for a run in progress. */
  stop: () => Promise<void>
}

/** The least pause before a run that `runSoon` starts, and as a multiple of the last run. */
const SOON_PAUSE_MS = 20
const SOON_PAUSE_RUNS = 4
const BACKOFF_MAX_MS = 5000
const LOG_EVERY_MS = 60_000

/**
 * Runs a task, pauses for its interval, and repeats. `runSoon` shortens the pause to four times the
 * last run, at least 20 ms, but not the pause after a failure.
 *
 * Consecutive failures back off exponentially up to 5 s and are logged once a minute, so that an
 * unavailable database floods neither the log nor itself.
 */
export function runAtInterval(task: Task, log: Pick<Log, 'error'>): IntervalTask {
  let stopped = false
  let isSoon = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let endedAt = 0
  let tookMs = 0
  /** Since the last success. */
  let failures = 0
  let loggedAt = -Infinity
  const tick = async () => {
    const startedAt = performance.now()
    try {
      await task.run()
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1 || performance.now() - loggedAt >= LOG_EVERY_MS) {
        loggedAt = performance.now()
        log.error({ err: error, job: task.name, times: failures }, 'job failed')
      }
    }
    endedAt = performance.now()
    tookMs = endedAt - startedAt
    schedule()
  }
  const pauseMs = () => {
    const { intervalMs } = task
    if (isSoon && failures === 0) {
      return Math.min(intervalMs, Math.max(SOON_PAUSE_MS, tookMs * SOON_PAUSE_RUNS))
    }
    return Math.max(intervalMs, Math.min(BACKOFF_MAX_MS, intervalMs * 2 ** failures))
  }
  const schedule = () => {
    if (stopped) return
    // Node warns about negative timeouts.
    timer = setTimeout(start, Math.max(0, endedAt + pauseMs() - performance.now()))
  }
  const start = () => {
    timer = undefined
    isSoon = false
    running = tick()
  }
  start()
  return {
    runSoon() {
      if (isSoon) return
      isSoon = true
      if (timer === undefined) return
      clearTimeout(timer)
      schedule()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
