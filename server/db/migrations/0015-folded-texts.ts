import { type Kysely, sql, SqliteAdapter } from 'kysely'
import { foldedText } from '../fold-text.ts'

/** What criteria search without regard to case. */
const TEXTS = {
  accounts: [
    'first_name',
    'last_name',
    'company',
    'email',
    'phone',
    'crm_key',
    'crm',
    'channel',
    'division',
    'tags',
  ],
  charges: ['alt_key'],
  contracts: ['alt_key'],
  payments: ['alt_key', 'channel'],
  refunds: ['reason', 'reference'],
  webhook_endpoints: ['url', 'description'],
} as const

/** Two values for each text and one for the id: far below what either database binds. */
const BATCH = 500

/**
 * Every text that criteria search stands a second time beside itself, without its case. The server
 * keeps it and no generated column: SQLite folds ASCII only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Every row is written anew, which may take longer than a statement may.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  for (const [table, columns] of Object.entries(TEXTS)) {
    for (const column of columns) {
      await db.schema.alterTable(table).addColumn(`${column}_lower`, 'text').execute()
    }
    let after: string | undefined = ''
    while (after !== undefined) after = await fillBatch(db, { table, columns, after })
  }
}

/** Fills the rows that follow the id `after`. Answers the last id, or undefined after the last row. */
async function fillBatch(
  db: Kysely<unknown>,
  { table, columns, after }: { table: string; columns: readonly string[]; after: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string } & Record<string, string | null>>`
    select ${sql.join(['id', ...columns].map((name) => sql.ref(name)))} from ${sql.table(table)}
    where id > ${after} order by id limit ${sql.lit(BATCH)}`.execute(db)
  if (rows.length === 0) return undefined
  const folded = rows.map(
    (row) => sql`(${sql.join([row.id, ...columns.map((name) => foldedText(row[name]))])})`,
  )
  // Both databases call the columns of values column1, column2 and so on.
  const sets = columns.map(
    (name, at) => sql`${sql.ref(`${name}_lower`)} = ${sql.ref(`folded.column${at + 2}`)}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(sets)}
    from (values ${sql.join(folded)}) as folded
    where ${sql.ref(`${table}.id`)} = folded.column1`.execute(db)
  return rows.at(-1)?.id
}
