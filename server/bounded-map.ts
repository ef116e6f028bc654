/** A map that keeps the `max` most recently used entries. */
export class BoundedMap<K, V> {
  readonly #max: number
  /** Least recently used first. */
  readonly #entries = new Map<K, V>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value as K)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  getOrCreate(key: K, create: () => V): V {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    const value = create()
    this.set(key, value)
    return value
  }
}

/** Like `getOrCreate`, for promises: concurrent callers share one load, and a failed one is dropped. */
export function getOrLoad<K, V>(
  map: BoundedMap<K, Promise<V>>,
  key: K,
  load: () => Promise<V>,
): Promise<V> {
  return map.getOrCreate(key, () => {
    const loading = load()
    loading.catch(() => map.delete(key))
    return loading
  })
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
