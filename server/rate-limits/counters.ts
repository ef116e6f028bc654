import { sql } from 'kysely'
import type { CounterRow } from '../db/tables/rate-limits.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'

/** What is counted, such as `link-declines`, and for which link, user or network. */
export interface CounterSubject {
  name: string
  key: string
}

/** A limit, and the link, user or network that it applies to. */
export interface Limited<Limit extends { name: string }> {
  limit: Limit
  key: string
}

export function counterSubject({ limit, key }: Limited<{ name: string }>): CounterSubject {
  return { name: limit.name, key }
}

/**
 * Adds one to a counter in the database and returns the new count. An expired counter restarts.
 * `window` is the start of a fixed window, or empty; `now` and `expires` are epoch milliseconds.
 */
export async function incrementCounter(
  db: Db | Tx,
  subject: CounterSubject,
  at: { window: string; now: number; expires: number },
): Promise<number> {
  const updated = formatInstant(at.now)
  const expires = formatInstant(at.expires)
  const { count } = await db
    .insertInto('limit_counters')
    .values({ ...subject, window_start: at.window, count: 1, updated, expires })
    .onConflict((conflict) =>
      conflict.columns(['name', 'key', 'window_start']).doUpdateSet({
        count: sql<number>`case when limit_counters.expires <= ${updated} then 1
          else limit_counters.count + 1 end`,
        updated,
        expires,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the counters of the subjects that have not expired at `now` (epoch milliseconds), in one
 * window or, without `window`, in all of them.
 */
export async function findCounters(
  db: Db | Tx,
  subjects: readonly CounterSubject[],
  at: { window?: string; now: number },
): Promise<CounterRow[]> {
  if (subjects.length === 0) return []
  const { rows } = await selectCounters(db, {
    names: subjects.map(({ name }) => name),
    keys: subjects.map(({ key }) => key),
    window: at.window,
    now: formatInstant(at.now),
  })
  return rows
}

const selectCounters = compiledQuery(
  (db: Db, given: { names: string[]; keys: string[]; window: string | undefined; now: string }) => {
    const { names, keys, window, now } = given
    const query = db
      .selectFrom('limit_counters')
      .selectAll()
      .where((eb) => eb.or(names.map((name, at) => eb.and({ name, key: keys[at] as string }))))
      .where('expires', '>', now)
    return window === undefined ? query : query.where('window_start', '=', window)
  },
)

export async function deleteCounters(db: Db | Tx, subject: CounterSubject): Promise<void> {
  await db
    .deleteFrom('limit_counters')
    .where('name', '=', subject.name)
    .where('key', '=', subject.key)
    .execute()
}

export async function pruneCounters(at: { db: Db; now: () => number }): Promise<void> {
  await at.db.deleteFrom('limit_counters').where('expires', '<=', formatInstant(at.now())).execute()
}
