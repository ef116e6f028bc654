/** Milliseconds in which nothing that grows faster than its input does this much of it. */
const NOTHING_MS = 4
/** How much longer sixteen times the input may take: linear is 16, quadratic is 256. */
const RATIO_MAX = 80
const TIMES = 5

/**
 * Returns whether the time of `work` grows with the length of its input and not with its square:
 * it is given `small` and then sixteen times as much, and the best of a few turns counts, so that a
 * busy machine says nothing.
 */
export function growsLinearly(work: (length: number) => () => unknown, small: number): boolean {
  const large = work(16 * small)
  if (millisecondsOf(large) < NOTHING_MS) return true
  const least = (run: () => unknown) =>
    Math.min(...Array.from({ length: TIMES }, () => millisecondsOf(run)))
  const little = work(small)
  return least(large) < NOTHING_MS || least(large) / least(little) < RATIO_MAX
}

function millisecondsOf(run: () => unknown): number {
  const begun = performance.now()
  run()
  return performance.now() - begun
}
