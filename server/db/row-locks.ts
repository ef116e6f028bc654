import type { Selectable, SelectQueryBuilder, Transaction } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db, Tables, Tx } from './tables.ts'

/** The row locks of PostgreSQL, strongest first. */
export type RowLock = 'update' | 'no key update' | 'share' | 'key share'

/**
 * Locks the rows that a query returns until the transaction ends: `query.$call(withRowLock(tx,
 * 'share'))`. `skipLocked` leaves out rows that another transaction has locked instead of waiting
 * for them. SQLite runs write transactions one after another, so the query stays as it is there.
 */
export function withRowLock(
  db: Db | Tx,
  lock: RowLock,
  { skipLocked = false }: { skipLocked?: boolean } = {},
) {
  return <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>) => {
    if (isSqlite(db)) return query
    const locked = LOCKS[lock](query)
    return skipLocked ? locked.skipLocked() : locked
  }
}

const LOCKS: Record<
  RowLock,
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>) => SelectQueryBuilder<D, T, O>
> = {
  update: (query) => query.forUpdate(),
  'no key update': (query) => query.forNoKeyUpdate(),
  share: (query) => query.forShare(),
  'key share': (query) => query.forKeyShare(),
}

type TableWithId = {
  [T in keyof Tables]: Tables[T] extends { id: string } ? T : never
}[keyof Tables]

/**
 * Returns a row as it is once no other transaction changes it, locked until this one ends. Throws
 * an Error when there is no such row.
 */
export async function lockRow<T extends TableWithId>(
  tx: Tx,
  table: T,
  id: string,
  lock: RowLock = 'no key update',
): Promise<Selectable<Tables[T]>> {
  const row = await (tx as unknown as Transaction<Record<string, { id: string }>>)
    .selectFrom(table as string)
    .selectAll()
    .where('id', '=', id)
    .$call(withRowLock(tx, lock))
    .executeTakeFirstOrThrow()
  return row as Selectable<Tables[T]>
}
