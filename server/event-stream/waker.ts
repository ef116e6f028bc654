import { jobSignals } from '../events/job-signals.ts'

export interface Waker {
  /**
   * Returns after the next event that this process commits, and at the latest after `ms` milliseconds. An
   * event since the last return counts.
   */
  wait: (ms: number) => Promise<void>
  /** Ends a wait. */
  wake: () => void
  stop: () => void
}

/** Returns what waits for events of any instance. */
export function createWaker(): Waker {
  let isAwake = false
  let resume: (() => void) | undefined
  const wake = () => {
    isAwake = true
    resume?.()
  }
  jobSignals.on('event', wake)
  return {
    wake,
    async wait(ms) {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        resume = undefined
      }
      isAwake = false
    },
    stop: () => jobSignals.off('event', wake),
  }
}
