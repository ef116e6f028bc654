/** Below this, in milliseconds, a run is too short to measure. */
const MEASURABLE_MS = 4
/** The largest ratio of the two times: linear growth gives 16, quadratic growth 256. */
const RATIO_MAX = 128
const ROUNDS = 20

/**
 * Returns whether the time of `work` grows linearly with the length of its input. Compares the best
 * times for `length` and for sixteen times as much. On a busy machine single runs are late, so only
 * work that is slow in every round counts as slow.
 */
export function growsLinearly(work: (length: number) => () => unknown, length: number): boolean {
  const [small, large] = [work(length), work(16 * length)]
  let [least, most] = [Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round += 1) {
    most = Math.min(most, millisecondsOf(large))
    if (most < MEASURABLE_MS) return true
    least = Math.min(least, millisecondsOf(small))
    if (round >= 4 && most / least < RATIO_MAX) return true
  }
  return false
}

function millisecondsOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
