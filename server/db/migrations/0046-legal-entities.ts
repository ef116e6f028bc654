import { type Kysely, sql, SqliteAdapter } from 'kysely'

/** Legal entities, the routes that choose among them, and to whom each payment belongs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // New references are checked on every row, which can exceed the statement timeout.
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await db.schema
    .alterTable('instances')
    .addColumn('legal_entities_version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await createLegalEntities(db)
  await createRoutes(db)
  for (const table of ['checkouts', 'payments', 'charges', 'contracts', 'refunds'] as const) {
    await db.schema.alterTable(table).addColumn('legal_entity_id', 'text').execute()
  }
  for (const table of ['checkouts', 'payments'] as const) {
    await db.schema.alterTable(table).addColumn('legal_entity_version', 'text').execute()
  }
  await addSandboxDescriptor(db)
  // The connection of the session's route.
  await db.schema.alterTable('checkouts').addColumn('processor_id', 'text').execute()
  // An entity with an active contract is not archived.
  await db.schema
    .createIndex('contracts_legal_entity')
    .on('contracts')
    .column('legal_entity_id')
    .where(sql.ref('legal_entity_id'), 'is not', null)
    .execute()
}

/** Adds the sandbox's record of what a statement would show. */
export async function addSandboxDescriptor(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sandbox_operations')
    .addColumn('statement_descriptor', 'text')
    .execute()
}

async function createLegalEntities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('legal_entities')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('alt_key', 'text')
    .addColumn('alt_key_folded', 'text')
    .addColumn('alt_key_lower', 'text')
    .addColumn('name', 'text')
    .addColumn('name_lower', 'text')
    .addColumn('legal_name', 'text', (c) => c.notNull())
    .addColumn('legal_name_lower', 'text')
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('currencies', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('is_default', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .addCheckConstraint('legal_entities_status', sql`status in ('ACTIVE', 'ARCHIVED')`)
    .execute()
  await db.schema
    .createIndex('legal_entities_created')
    .on('legal_entities')
    .columns(['instance_id', 'created', 'id'])
    .execute()
  await db.schema
    .createIndex('legal_entities_one_default')
    .unique()
    .on('legal_entities')
    .column('instance_id')
    .where(sql.ref('is_default'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createIndex('legal_entities_alt_key')
    .unique()
    .on('legal_entities')
    .columns(['instance_id', 'alt_key_folded'])
    .where(sql.ref('status'), '=', sql.lit('ACTIVE'))
    .execute()
  await db.schema
    .createTable('legal_entity_versions')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('legal_entity_id', 'text', (c) => c.notNull().references('legal_entities.id'))
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
}

async function createRoutes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('legal_entity_routes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('legal_entity_id', 'text', (c) => c.notNull().references('legal_entities.id'))
    .addColumn('conditions', 'text', (c) => c.notNull())
    .addColumn('processor_id', 'text', (c) => c.references('processor_connections.id'))
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('created_session', 'text')
    .addColumn('updated_session', 'text')
    .addColumn('created', 'text', (c) => c.notNull())
    .addColumn('updated', 'text', (c) => c.notNull())
    .addColumn('v', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('legal_entity_routes_position')
    .unique()
    .on('legal_entity_routes')
    .columns(['instance_id', 'position'])
    .execute()
  await db.schema
    .createIndex('legal_entity_routes_created')
    .on('legal_entity_routes')
    .columns(['instance_id', 'created', 'id'])
    .execute()
}
