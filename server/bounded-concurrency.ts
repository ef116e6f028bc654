/** How many of the pool's ten connections one background job takes, so that requests find one free. */
export const MAX_CONCURRENT = 4

/**
 * Runs `act` for every item, in order, `AT_ONCE` of them at a time. One that fails keeps no other
 * from its turn. Returns the results in the order of the items. Throws the first failure once all
 * have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  const queue = items.entries()
  const work = async () => {
    // Every worker takes its next item from the same iterator.
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
