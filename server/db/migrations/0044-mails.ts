import { type Kysely, sql } from 'kysely'

/** The outbox of mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('record_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('recipient', 'text')
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('branding', 'text', (c) => c.notNull())
    .addColumn('timezone', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('last_attempt', 'text')
    .addColumn('response_code', 'integer')
    .addColumn('error', 'text')
    .addColumn('sent', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addCheckConstraint('mails_status', sql`status in ('WAITING', 'SENT', 'FAILED')`)
    .execute()
  // One mail of a kind about one success, refund or failure.
  await db.schema
    .createIndex('mails_subject')
    .unique()
    .on('mails')
    .columns(['kind', 'subject'])
    .execute()
  await db.schema
    .createIndex('mails_due')
    .on('mails')
    .column('next_attempt')
    .where(sql.ref('next_attempt'), 'is not', null)
    .execute()
  await db.schema.createIndex('mails_created').on('mails').columns(['created', 'id']).execute()
  await db.schema
    .createIndex('mails_recipient')
    .on('mails')
    .column('updated')
    .where(sql.ref('recipient'), 'is not', null)
    .execute()
}
