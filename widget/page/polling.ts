import type { SetTimer } from './api.ts'

/** About five minutes of looking before the page stops asking by itself. */
export const LOOKS_MAX = 40

/** Pause before the n-th look, in milliseconds: one second at first, ten at most. */
export function pauseMs(turn: number): number {
  return Math.min(1000 * 1.4 ** turn, 10_000)
}

export type Pauses = ReturnType<typeof createPauses>

/** Pauses that can be cut short, by a connection that is back or by a payer who asks. */
export function createPauses(later: SetTimer) {
  const sleeping = new Set<() => void>()
  return {
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          cancel()
          sleeping.delete(wake)
          resolve()
        }
        const cancel = later(wake, ms)
        sleeping.add(wake)
      }),
    wake: () => {
      for (const wake of sleeping) wake()
    },
  }
}
