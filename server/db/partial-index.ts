import { sql } from 'kysely'

/**
 * A value in the text of a statement, where a parameter would keep both databases from using a
 * partial index.
 */
export function literal<const T>(value: T) {
  return sql.lit(value)
}
