import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { migrations } from './migrations/index.ts'
import { appliedTo } from './migrate.ts'
import { assertSameSchema, type SchemaPart } from './schema-difference.ts'
import type { Db, Tx } from './tables.ts'

/**
 * Throws an Error that names the difference unless the schema of a PostgreSQL database is what its
 * applied steps make, and nothing else: no trigger, rule, policy, view, function, table, column or
 * default. What extensions have made is not looked at. A database with a step that this program does
 * not know is left to the refusal of newer databases. Changes nothing.
 */
export async function assertPostgresSchema(db: Db): Promise<void> {
  const applied = await appliedTo(db)
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return
  const found = await inUndone(db, async (tx) => {
    const { rows } = await sql<{ schema: string | null }>`
      select (select relnamespace::regnamespace::text from pg_class
        where oid = to_regclass('merchants')) as schema
    `.execute(tx)
    const schema = rows[0]?.schema
    if (schema == null) throw new Error('This is not a database of Checkstand: it is empty')
    await sql`select set_config('search_path', ${schema}, true)`.execute(tx)
    return partsOf(tx)
  })
  const expected = await inUndone(db, async (tx) => {
    const schema = `checkstand_${randomBytes(8).toString('hex')}`
    await sql`create schema ${sql.id(schema)}`.execute(tx)
    await sql`select set_config('search_path', ${schema}, true)`.execute(tx)
    await makeMigrationTables(tx)
    for (const name of applied) await migrations[name]?.up(tx)
    return partsOf(tx)
  })
  assertSameSchema('The database', expected, found)
}

/** What `work` finds in a transaction of which nothing stays. */
async function inUndone<R>(db: Db, work: (tx: Tx) => Promise<R>): Promise<R> {
  const tx = await db.startTransaction().execute()
  try {
    return await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/** The two tables in which Kysely keeps which steps were applied. */
async function makeMigrationTables(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'varchar(255)', (c) => c.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (c) => c.notNull())
    .execute()
  await tx.schema
    .createTable('kysely_migration_lock')
    .addColumn('id', 'varchar(255)', (c) => c.notNull().primaryKey())
    .addColumn('is_locked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

/** Everything in the one schema of the search path, as PostgreSQL itself would write it down. */
async function partsOf(tx: Tx): Promise<SchemaPart[]> {
  const { rows } = await sql<SchemaPart>`
    with ours as (select oid from pg_namespace where nspname = current_schema()),
    made as (
      select classid, objid from pg_depend where deptype = 'e'
    ),
    relations as (
      select c.* from pg_class c, ours
      where c.relnamespace = ours.oid
        and not exists (select 1 from made where classid = 'pg_class'::regclass and objid = c.oid)
    ),
    parts as (
      select case relkind when 'r' then 'table' when 'v' then 'view' when 'S' then 'sequence'
          when 'm' then 'materialized view' when 'f' then 'foreign table' else 'relation' end
          || ' ' || relname as name,
        concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity) as definition
      from relations where relkind not in ('i', 'I', 't')
      union all
      select 'column ' || relname || '.' || attname,
        concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
          attcollation, pg_get_expr(adbin, adrelid))
      from relations join pg_attribute on attrelid = relations.oid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relkind in ('r', 'p', 'f') and attnum > 0 and not attisdropped
      union all
      select 'constraint ' || conname || ' of ' || relname,
        concat_ws(' ', pg_get_constraintdef(c.oid), convalidated)
      from relations join pg_constraint c on conrelid = relations.oid where contype <> 'n'
      union all
      select 'index ' || i.relname || ' of ' || relations.relname,
        concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
      from relations join pg_index on indrelid = relations.oid
        join pg_class i on i.oid = indexrelid
      union all
      select 'trigger ' || tgname || ' of ' || relname, tgenabled::text
      from relations join pg_trigger on tgrelid = relations.oid
      where not tgisinternal or tgenabled <> 'O'
      union all
      select 'rule ' || rulename || ' of ' || relname, pg_get_ruledef(r.oid)
      from relations join pg_rewrite r on ev_class = relations.oid where rulename <> '_RETURN'
      union all
      select 'policy ' || polname || ' of ' || relname, ''
      from relations join pg_policy on polrelid = relations.oid
      union all
      select 'heir ' || inhrelid::regclass || ' of ' || relname, ''
      from relations join pg_inherits on inhparent = relations.oid
      union all
      select 'function ' || p.oid::regprocedure, '' from pg_proc p, ours
      where pronamespace = ours.oid
        and not exists (select 1 from made where classid = 'pg_proc'::regclass and objid = p.oid)
      union all
      select 'operator ' || o.oid::regoperator, '' from pg_operator o, ours
      where oprnamespace = ours.oid
        and not exists (select 1 from made where classid = 'pg_operator'::regclass and objid = o.oid)
      union all
      select 'type ' || t.oid::regtype, '' from pg_type t, ours
      where typnamespace = ours.oid and typrelid = 0 and typelem = 0
        and not exists (select 1 from made where classid = 'pg_type'::regclass and objid = t.oid)
    )
    select name, replace(definition, quote_ident(current_schema()) || '.', '') as definition
    from parts
  `.execute(tx)
  return rows
}
