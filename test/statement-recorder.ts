import { CompiledQuery, type KyselyPlugin } from 'kysely'
import type { Db, Tx } from '../server/db/tables.ts'
import type { ListReads } from '../server/deps.ts'

/** The statements that really ran, and how a database runs them: for benches and plan tests. */

export interface StatementRecorder {
  /** To be used in place of the database that is watched. */
  db: Db
  /** To be used in place of the lists that read it. */
  lists: ListReads
  /** Forgets what ran so far, and answers it. */
  take: () => CompiledQuery[]
}

/** Keeps every statement that is sent through `db` or `lists`, with its values. */
export function recordStatements({
  db,
  listReads,
}: {
  db: Db
  listReads: ListReads
}): StatementRecorder {
  let statements: CompiledQuery[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    db: db.withPlugin(recorder),
    lists: {
      inTurn: (instanceId, work) =>
        listReads.inTurn(instanceId, (turn) =>
          work({
            read: (member, read) => turn.read(member, (one) => read(one.withPlugin(recorder))),
          }),
        ),
    },
    take() {
      const taken = statements
      statements = []
      return taken
    },
  }
}

/** The plan of a statement, a line for each step, in the words of the database. */
export async function planOf(
  db: Db | Tx,
  kind: 'sqlite' | 'postgres',
  { sql, parameters }: CompiledQuery,
): Promise<string[]> {
  const explain = kind === 'sqlite' ? 'explain query plan' : 'explain (costs off)'
  const { rows } = await db.executeQuery<{ detail?: string; 'QUERY PLAN'?: string }>(
    CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
  )
  return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')
}
