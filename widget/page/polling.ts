import type { SetTimer } from './api.ts'

/** About five minutes of polling. */
export const POLLS_MAX = 40

/** The pause before a poll, in milliseconds: from one second up to ten. */
export function pollDelay(attempt: number): number {
  return Math.min(1000 * 1.4 ** attempt, 10_000)
}

export type Pauses = ReturnType<typeof createPauses>

/** Pauses that `wake` ends early, for a restored connection or a payer who asks again. */
export function createPauses(setTimer: SetTimer) {
  const pending = new Set<() => void>()
  return {
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          cancel()
          pending.delete(wake)
          resolve()
        }
        const cancel = setTimer(wake, ms)
        pending.add(wake)
      }),
    wake: () => {
      for (const wake of pending) wake()
    },
  }
}
