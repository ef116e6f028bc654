import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import { READ_MS, type Reads, ReadTooSlow } from './reads.ts'
import { inTransaction } from './transaction.ts'

/** Of the ten connections; the others are for what does not take long. */
const CONNECTIONS_MAX = 4
/** SQLSTATE of a statement that took longer than it may. */
const CANCELLED = '57014'

/** Reads on connections of the pool, where PostgreSQL itself ends what takes too long. */
export function postgresReads<T>(db: Kysely<T>): Reads<T> {
  return {
    slots: CONNECTIONS_MAX,
    async read(work) {
      try {
        return await inTransaction(
          db,
          async (tx) => {
            const ends = performance.now() + READ_MS
            await limitStatements(tx, READ_MS)
            return work(tx.withPlugin(lessAfterEach(tx, ends)))
          },
          { isolation: 'repeatable read' },
        )
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        throw code === CANCELLED ? new ReadTooSlow({ cause: error }) : error
      }
    },
    close: async () => {},
  }
}

/** PostgreSQL limits each statement by itself, so the next one gets what the last has left. */
function lessAfterEach<T>(tx: Transaction<T>, ends: number): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await limitStatements(tx, ends - performance.now())
      return result
    },
  }
}

async function limitStatements<T>(tx: Transaction<T>, ms: number): Promise<void> {
  // 0 would be no limit at all.
  const atLeast = Math.max(1, Math.ceil(ms))
  await sql`set local statement_timeout = ${sql.lit(atLeast)}`.execute(tx)
}
