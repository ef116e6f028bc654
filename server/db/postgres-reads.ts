import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import { READ_MS, type Reads, ReadTooSlow } from './reads.ts'
import { inTransaction } from './transaction.ts'

/** Of the ten connections; the others are for short queries. */
const CONNECTIONS_MAX = 4
/** SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014'

/** Reads on connections of the pool with PostgreSQL's statement timeout. */
export function postgresReads<T>(db: Kysely<T>, readMs = READ_MS): Reads<T> {
  return {
    slots: CONNECTIONS_MAX,
    async read(work) {
      try {
        return await inTransaction(
          db,
          async (tx) => {
            const deadline = performance.now() + readMs
            await limitStatements(tx, readMs)
            return work(tx.withPlugin(reduceTimeout(tx, deadline)))
          },
          { isolation: 'repeatable read' },
        )
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        throw code === QUERY_CANCELED ? new ReadTooSlow({ cause: error }) : error
      }
    },
    close: async () => {},
  }
}

/** The timeout is per statement, so each next statement gets the remaining time. */
function reduceTimeout<T>(tx: Transaction<T>, deadline: number): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await limitStatements(tx, deadline - performance.now())
      return result
    },
  }
}

async function limitStatements<T>(tx: Transaction<T>, ms: number): Promise<void> {
  // 0 would disable the timeout.
  const atLeast = Math.max(1, Math.ceil(ms))
  await sql`set local statement_timeout = ${sql.lit(atLeast)}`.execute(tx)
}
