import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'

/**
 * The instance's condition where another one has to lead to the rows. Without statistics SQLite
 * believes that an instance has ten rows, and prefers reading "all ten" to looking up eight ids:
 * a big shop's whole table for every expansion. An expression is no reason to use an index.
 */
export function alsoOfInstance(table: string, instanceId: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${table}.instance_id`)} || '' = ${instanceId}`
}

/** The condition for rows of an instance by their ids: looked up by the ids alone. */
export function ofInstanceById(
  table: string,
  instanceId: string,
  ids: readonly string[],
): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`${table}.id`)} in (${sql.join(ids)})
    and ${alsoOfInstance(table, instanceId)})`
}
