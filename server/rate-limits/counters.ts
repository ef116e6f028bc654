import { sql } from 'kysely'
import type { CounterRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'

/**
 * Counters that a restart does not forget and that all processes share. What is counted and when
 * it is too much is somebody else's rule: `failures.ts`, `rate.ts` and
 * `recent.ts`.
 */

/** Whom a counter is about: what is counted, and whose. */
export interface Subject {
  name: string
  key: string
}

/**
 * Adds one, and answers the count with it. A counter that has expired begins again. `window` is
 * the beginning of a fixed window, or empty for a counter that has none; `now` and `expires` are
 * epoch milliseconds.
 */
export async function incrementCounter(
  db: Db | Tx,
  subject: Subject,
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
 * The counters of the subjects that still count at `now`, epoch milliseconds: those of one window,
 * or of all when none is named.
 */
export async function findCounters(
  db: Db | Tx,
  subjects: readonly Subject[],
  at: { window?: string; now: number },
): Promise<CounterRow[]> {
  if (subjects.length === 0) return []
  const query = db
    .selectFrom('limit_counters')
    .selectAll()
    .where((eb) => eb.or(subjects.map((subject) => eb.and({ ...subject }))))
    .where('expires', '>', formatInstant(at.now))
  const { window } = at
  return (window === undefined ? query : query.where('window_start', '=', window)).execute()
}

/** Forgets everything that was counted about a subject. */
export async function deleteCounters(db: Db | Tx, subject: Subject): Promise<void> {
  await db
    .deleteFrom('limit_counters')
    .where('name', '=', subject.name)
    .where('key', '=', subject.key)
    .execute()
}

/** Removes counters that no longer count. */
export async function pruneCounters(at: { db: Db; now: () => number }): Promise<void> {
  await at.db.deleteFrom('limit_counters').where('expires', '<=', formatInstant(at.now())).execute()
}
