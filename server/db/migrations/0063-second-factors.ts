import type { Kysely } from 'kysely'

/** Second factors of users, and what a session knows of how its user signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_factors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('secret', 'text')
    .addColumn('credential_id', 'text')
    .addColumn('public_key', 'text')
    .addColumn('transports', 'text')
    .addColumn('counter', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('confirmed', 'text')
    .addColumn('last_used', 'text')
    .execute()
  await db.schema.createIndex('user_factors_user').on('user_factors').column('user_id').execute()
  await db.schema
    .createIndex('user_factors_credential')
    .unique()
    .on('user_factors')
    .column('credential_id')
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('selector', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('used', 'text')
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'selector'])
    .execute()

  await db.schema
    .createTable('passkey_challenges')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('sign_in_steps')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute()
  for (const table of ['passkey_challenges', 'sign_in_steps']) {
    await db.schema.createIndex(`${table}_expires`).on(table).column('expires').execute()
  }
  await db.schema.createIndex('sign_in_steps_user').on('sign_in_steps').column('user_id').execute()

  for (const column of ['last_seen', 'authenticated', 'factors', 'ip', 'user_agent']) {
    await db.schema.alterTable('user_sessions').addColumn(column, 'text').execute()
  }
}
