import { sql } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db, Tx } from './tables.ts'

/** Rows of the whole table, of one instance, and per further column of an index. */
const ROWS = [1_000_000, 100_000, 10, 9, 8, 7]

/**
 * Writes statistics for SQLite's planner by which an instance has many rows. It assumes ten
 * otherwise, and then scans all rows of an instance to find two by key. Fixed instead of measured, so
 * that every installation and test has the same query plans. PostgreSQL measures by itself.
 */
export async function setPlannerStats(db: Db): Promise<void> {
  if (!isSqlite(db)) return
  await db.transaction().execute(async (tx) => {
    // Creates the table of statistics without measuring.
    await sql`analyze sqlite_schema`.execute(tx)
    for (const { tbl, idx, columns } of await indexesByInstance(tx)) {
      const stat = ROWS.slice(0, columns + 1).join(' ')
      await sql`delete from sqlite_stat1 where tbl = ${tbl} and idx = ${idx}`.execute(tx)
      await sql`insert into sqlite_stat1 values (${tbl}, ${idx}, ${stat})`.execute(tx)
    }
    // This connection reloads them by `analyze`, the others when the schema changes.
    await sql`create table estimates_written (at text)`.execute(tx)
    await sql`drop table estimates_written`.execute(tx)
    await sql`analyze sqlite_schema`.execute(tx)
  })
}

async function indexesByInstance(
  tx: Db | Tx,
): Promise<{ tbl: string; idx: string; columns: number }[]> {
  const { rows } = await sql<{ tbl: string; idx: string; columns: number }>`
    select t.name as tbl, i.name as idx, count(*) as columns
    from sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    where t.type = 'table'
    group by t.name, i.name
    having max(case when c.seqno = 0 then c.name end) = 'instance_id'
  `.execute(tx)
  return rows
}

/** Whether every index has its statistics. */
export async function hasPlannerStats(db: Db): Promise<boolean> {
  if (!isSqlite(db)) return true
  const { rows } = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db)
  if (rows.length === 0) return false
  const analyzed = await sql<{ idx: string }>`select idx from sqlite_stat1`.execute(db)
  const names = new Set(analyzed.rows.map(({ idx }) => idx))
  return (await indexesByInstance(db)).every(({ idx }) => names.has(idx))
}
