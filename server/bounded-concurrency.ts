/** Connections of the pool that one background job uses, so that requests always find one. */
export const MAX_CONCURRENT = 4

/**
 * Runs `act` for every item, in order, at most `MAX_CONCURRENT` at a time. A failure does not stop
 * the others. Returns the results in the order of the items. Throws the first error once all have
 * finished.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  const queue = items.entries()
  const work = async () => {
    // All workers take items from one iterator.
    for (const [at, item] of queue) {
      try {
        results[at] = await act(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
