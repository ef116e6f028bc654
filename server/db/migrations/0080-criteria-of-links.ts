import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../dialect.ts'
import { foldedText } from '../fold-text.ts'

const TEXTS = ['name', 'alt_key', 'channel'] as const

/** Six values per link: far below the limit of bound values. */
const BATCH = 500

/** Adds the options of payment links that criteria compare, and fills them in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rewrites every row, which can take longer than the statement timeout.
  if (!isSqlite(db)) await sql`set local statement_timeout = 0`.execute(db)
  const table = db.schema.alterTable('payment_links')
  for (const name of TEXTS) await table.addColumn(`${name}_lower`, 'text').execute()
  await table.addColumn('amount_e4', 'bigint').execute()
  await table.addColumn('currency', 'text').execute()
  let after: string | undefined = ''
  while (after !== undefined) after = await fillBatch(db, after)
}

/** Fills a batch of links after the id `after`. Returns its last id; undefined if there are none. */
async function fillBatch(db: Kysely<unknown>, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; options: string }>`
    select id, options from payment_links
    where id > ${after} order by id limit ${sql.lit(BATCH)}`.execute(db)
  if (rows.length === 0) return undefined
  const filled = rows.map(({ id, options }) => {
    const read = JSON.parse(options) as Record<string, string | null | undefined>
    const texts = TEXTS.map((name) => foldedText(read[name]))
    const amount = read['amount'] == null ? null : Math.round(Number(read['amount']) * 10_000)
    return sql`(${sql.join([id, ...texts])}, cast(${amount} as bigint), ${read['currency'] ?? null})`
  })
  // Both databases name the columns of `values` column1, column2 and so on.
  await sql`update payment_links set name_lower = filled.column2, alt_key_lower = filled.column3,
    channel_lower = filled.column4, amount_e4 = filled.column5, currency = filled.column6
    from (values ${sql.join(filled)}) as filled
    where payment_links.id = filled.column1`.execute(db)
  return rows.at(-1)?.id
}
