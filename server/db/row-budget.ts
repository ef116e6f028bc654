import type pg from 'pg'
import Cursor from 'pg-cursor'
import { READ_BYTES, ReadTooLarge } from './reads.ts'

/** How much PostgreSQL may answer to one who reads. */

/** Rows that are asked for in one piece: what can come beyond the budget. */
const ROWS_AT_ONCE = 50

/** What the rows of all statements that share it may still come to. */
export interface RowBudget {
  bytesLeft: number
}

/** Returns a budget of READ_BYTES. */
export const newRowBudget = (): RowBudget => ({ bytesLeft: READ_BYTES })

/**
 * Runs a statement and reads its rows in pieces, until there are no more or `budget` is spent. `types`
 * reads the values. Returns all rows; throws ReadTooLarge beyond the budget, after which the
 * connection can be used as before, and what PostgreSQL says.
 */
export async function readWithin(
  budget: RowBudget,
  client: pg.ClientBase,
  { text, values, types }: { text: string; values: unknown[]; types: pg.CustomTypesConfig },
): Promise<{ command: 'SELECT'; rowCount: number; rows: object[] }> {
  const cursor = client.query(new Cursor<object>(text, values, { types: counting(types, budget) }))
  const rows: object[] = []
  for (;;) {
    const piece = await cursor.read(ROWS_AT_ONCE)
    if (budget.bytesLeft < 0) {
      await cursor.close()
      throw new ReadTooLarge()
    }
    rows.push(...piece)
    if (piece.length < ROWS_AT_ONCE) return { command: 'SELECT', rowCount: rows.length, rows }
  }
}

/** It only counts: an error here would be thrown where pg hears the connection. */
function counting(types: pg.CustomTypesConfig, budget: RowBudget): pg.CustomTypesConfig {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') => {
    const parse = types.getTypeParser(oid, format) as (value: string) => unknown
    return (value: string) => {
      budget.bytesLeft -= value.length
      return parse(value)
    }
  }
  return { getTypeParser }
}
