/**
 * Histograms of the seconds from the opening of a session to its payment. Buckets are exact up to ten
 * seconds; above, each ends a fifth after it begins, so that its middle is within a tenth of any value
 * in it.
 */

const LAST_BOUND = 10_000_000

/** The first second of each bucket. The last one has no end. */
export const BOUNDS: readonly number[] = bounds()

function bounds(): number[] {
  const list = [0]
  for (let bound = 1; bound <= LAST_BOUND; bound = nextBound(bound)) list.push(bound)
  return list
}

function nextBound(bound: number): number {
  return bound < 10 ? bound + 1 : Math.floor((bound * 6) / 5)
}

/** Returns the first second of the bucket with this number of milliseconds. */
export function payTimeBucket(ms: number): number {
  const seconds = Math.floor(ms / 1000)
  return BOUNDS.findLast((bound) => bound <= seconds) ?? 0
}

/** Returns the median in seconds, within a tenth; null without values. Takes counts by bucket. */
export function medianSeconds(histogram: ReadonlyMap<number, number>): number | null {
  const buckets = [...histogram].toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [bucket, count] of buckets) {
    seen += count
    if (seen * 2 >= total && total > 0) return middle(bucket)
  }
  return null
}

function middle(bucket: number): number {
  const last = bucket === 0 ? 0 : nextBound(bucket) - 1
  return Math.floor((bucket + last) / 2)
}
