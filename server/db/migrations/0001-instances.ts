import type { Kysely } from 'kysely'

/** Merchants, their instances, users and secret keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('merchants')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('default_currency', 'text', (c) => c.notNull())
    .addColumn('timezone', 'text')
    .addColumn('languages', 'text')
    .addColumn('allowed_origins', 'text', (c) => c.notNull())
    .addColumn('theme', 'text')
    .addColumn('link_saved_methods', 'integer', (c) => c.notNull())
    .addColumn('brandings', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addUniqueConstraint('instances_key', ['merchant_id', 'key'])
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('email_folded', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('secret_keys')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('last4', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('revoked', 'text')
    .execute()
}
