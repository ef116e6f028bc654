import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { type Cell, cellChanges, cellsOf, type CountedCheckout, SLOT_MS } from './cells.ts'

/**
 * Records how a change of a session changes the counts, in the transaction of the change. `before` is
 * the row that the change is based on, locked or compared by its version; undefined for a new session.
 *
 * Changes are appended and added up by a job (`fold-changes.ts`), so that sessions do not wait for
 * each other.
 */
export async function recordCounts(
  tx: Tx,
  before: CountedCheckout | undefined,
  after: CountedCheckout,
): Promise<void> {
  await insertCells(tx, cellChanges(before ? cellsOf(before) : [], cellsOf(after)))
}

export async function insertCells(tx: Tx, cells: readonly Cell[]): Promise<void> {
  for (const cell of cells) await insert(tx, { id: newId('cc', cell.slot * SLOT_MS), ...cell })
}

const insert = compiledQuery((db: Db, change: Cell & { id: string }) =>
  db.insertInto('checkout_count_changes').values(change),
)
