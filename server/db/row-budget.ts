import type pg from 'pg'
import Cursor from 'pg-cursor'
import { READ_BYTES, ReadTooLarge } from './reads.ts'

/** Rows per fetch, which is how many can exceed the budget. */
const ROWS_PER_FETCH = 50

/** The remaining bytes of the statements of one transaction. */
export interface RowBudget {
  bytesLeft: number
}

export const newRowBudget = (): RowBudget => ({ bytesLeft: READ_BYTES })

/**
 * Runs a statement with a cursor and returns all rows. Throws ReadTooLarge beyond the budget; the
 * connection stays usable.
 */
export async function readWithinBudget(
  budget: RowBudget,
  client: pg.ClientBase,
  { text, values, types }: { text: string; values: unknown[]; types: pg.CustomTypesConfig },
): Promise<{ command: 'SELECT'; rowCount: number; rows: object[] }> {
  const cursor = client.query(
    new Cursor<object>(text, values, { types: countBytes(types, budget) }),
  )
  const rows: object[] = []
  for (;;) {
    const fetched = await cursor.read(ROWS_PER_FETCH)
    if (budget.bytesLeft < 0) {
      await cursor.close()
      throw new ReadTooLarge()
    }
    rows.push(...fetched)
    if (fetched.length < ROWS_PER_FETCH) return { command: 'SELECT', rowCount: rows.length, rows }
  }
}

/** Counts without throwing: an error here would break the connection. */
function countBytes(types: pg.CustomTypesConfig, budget: RowBudget): pg.CustomTypesConfig {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') => {
    const parse = types.getTypeParser(oid, format) as (value: string) => unknown
    return (value: string) => {
      budget.bytesLeft -= value.length
      return parse(value)
    }
  }
  return { getTypeParser }
}
