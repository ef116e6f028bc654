import type { Kysely } from 'kysely'

/** User sessions, OAuth, and counters that survive a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('disabled', 'text').execute()
  await db.schema.alterTable('secret_keys').addColumn('last_used', 'text').execute()

  await db.schema
    .createTable('user_sessions')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('user_sessions_user').on('user_sessions').column('user_id').execute()
  await db.schema
    .createIndex('user_sessions_expires')
    .on('user_sessions')
    .column('expires')
    .execute()

  await db.schema
    .createTable('first_sign_ins')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('used', 'text')
    .execute()

  await db.schema
    .createTable('limit_counters')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('window_start', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('limit_counters_key', ['name', 'key', 'window_start'])
    .execute()
  await db.schema
    .createIndex('limit_counters_expires')
    .on('limit_counters')
    .column('expires')
    .execute()

  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('redirect_urls', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('require_pkce', 'integer', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('disabled', 'text')
    .execute()

  // Deletes cascade to grants, codes and tokens.
  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('client_id', 'text', (c) =>
      c.notNull().references('oauth_clients.id').onDelete('cascade'),
    )
    .addColumn('instance_id', 'text', (c) =>
      c.notNull().references('instances.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('revoked', 'text')
    .execute()
  for (const column of ['client_id', 'instance_id', 'user_id']) {
    await db.schema
      .createIndex(`oauth_grants_${column.replace('_id', '')}`)
      .on('oauth_grants')
      .column(column)
      .execute()
  }

  await db.schema
    .createTable('oauth_codes')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('grant_id', 'text', (c) =>
      c.notNull().references('oauth_grants.id').onDelete('cascade'),
    )
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('redirect_url', 'text', (c) => c.notNull())
    .addColumn('challenge', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .addColumn('used', 'text')
    .execute()
  await db.schema.createIndex('oauth_codes_grant').on('oauth_codes').column('grant_id').execute()
  await db.schema.createIndex('oauth_codes_expires').on('oauth_codes').column('expires').execute()

  await db.schema
    .createTable('oauth_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('grant_id', 'text', (c) =>
      c.notNull().references('oauth_grants.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('expires', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('oauth_tokens_grant').on('oauth_tokens').column('grant_id').execute()
  await db.schema.createIndex('oauth_tokens_expires').on('oauth_tokens').column('expires').execute()
}
