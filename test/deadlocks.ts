import type { Db } from '../server/db/tables.ts'

/**
 * Counts the transactions of a database that PostgreSQL ends for the sake of another, also those that
 * were run again. Returns what reads the count.
 */
export function countDeadlocks(db: Db): () => number {
  const begin = db.transaction.bind(db)
  let deadlocks = 0
  db.transaction = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) =>
      execute(work).catch((error: unknown) => {
        deadlocks += Number((error as { code?: unknown }).code === '40P01')
        throw error
      })
    return builder
  }
  return () => deadlocks
}
