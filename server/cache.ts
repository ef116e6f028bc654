import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of at most `entries`, which forgets the least recently used one first. Its memory
 * grows with its entries: with `max`, lru-cache allocates for all of them at once, 3 ms for 20 000.
 */
export function createCache<V extends {}>(entries: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: entries, sizeCalculation: () => 1 })
}

/** Returns the promise in a cache, or loads it: concurrent callers share one load, and a failed one is dropped. */
export function getOrLoad<V>(
  cache: LRUCache<string, Promise<V>>,
  key: string,
  load: () => Promise<V>,
): Promise<V> {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const loading = load()
  cache.set(key, loading)
  loading.catch(() => cache.delete(key))
  return loading
}

/**
 * Returns a function that creates one value per database and keeps it as long as the database
 * object lives. Caches are kept this way, because a process may open several databases.
 */
export function perDatabase<T>(create: () => T): (db: object) => T {
  const values = new WeakMap<object, T>()
  return (db) => {
    const value = values.get(db) ?? create()
    values.set(db, value)
    return value
  }
}
