import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../dialect.ts'

/** Words by which records are found. A job adds those of records from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A range of words is a prefix only where texts are ordered by their bytes.
  const word = isSqlite(db) ? sql`text` : sql`text collate "C"`
  await db.schema
    .createTable('search_words')
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('word', word, (c) => c.notNull())
    .addColumn('record_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_words_pkey', ['instance_id', 'kind', 'word', 'record_id'])
    .execute()
  await db.schema
    .createIndex('search_words_record')
    .on('search_words')
    .columns(['record_id', 'word'])
    .execute()
  await sql`delete from insight_backfills`.execute(db)
  await sql`insert into insight_backfills (source, before_id)
    values ('payments', '~'), ('refunds', '~'), ('reversals', '~'), ('payment_links', '~'),
      ('deep_links', '~'), ('accounts', '~'), ('charges', '~'), ('contracts', '~')`.execute(db)
}
