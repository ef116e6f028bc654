import { type Kysely, sql, SqliteAdapter } from 'kysely'
import { foldedText } from '../fold-text.ts'

/** Text fields that criteria compare case-insensitively. */
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

/** Two values per text and one for the id: far below the limit of bound values. */
const BATCH = 500

/**
 * Adds a case-folded copy of every text that criteria compare. The server writes it, because a
 * generated column in SQLite folds ASCII only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rewrites every row, which can take longer than the statement timeout.
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

/** Fills a batch of rows after the id `after`. Returns its last id; undefined if there are none. */
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
  // Both databases name the columns of `values` column1, column2 and so on.
  const sets = columns.map(
    (name, at) => sql`${sql.ref(`${name}_lower`)} = ${sql.ref(`folded.column${at + 2}`)}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(sets)}
    from (values ${sql.join(folded)}) as folded
    where ${sql.ref(`${table}.id`)} = folded.column1`.execute(db)
  return rows.at(-1)?.id
}
