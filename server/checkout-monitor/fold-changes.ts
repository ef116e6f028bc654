import { sql } from 'kysely'
import { compiledQuery } from '../db/compiled-query.ts'
import { advisoryLock } from '../db/named-locks.ts'
import type { Db, Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Cell, COUNTS, KEY_COLUMNS, SLOT_MS, sumCells } from './cells.ts'

/** Bounds the length of each transaction. */
const BATCH = 200
/** Alerts look back a day in slots; reports read quarters of an hour. */
const FINE_MS = 2 * 86_400_000
const COARSE = 3

/**
 * Adds recorded changes to the counts, and merges the slots of each older quarter of an hour. Readers
 * see every change once, before and after. Safe to run in several processes.
 */
export async function foldCounts(deps: Pick<Deps, 'db' | 'realNow'>): Promise<void> {
  for (let found = BATCH; found === BATCH;) {
    found = await inTransaction(deps.db, async (tx) => {
      await advisoryLock(tx, 'fold checkout counts')
      const changes = await takeChanges(tx)
      await addToCounts(tx, sumCells(changes))
      return changes.length
    })
  }
  const before = Math.floor((deps.realNow() - FINE_MS) / SLOT_MS)
  for (let found = BATCH; found === BATCH;) {
    found = await inTransaction(deps.db, async (tx) => {
      await advisoryLock(tx, 'fold checkout counts')
      const fine = await takeFineCounts(tx, before)
      const coarse = fine.map((cell) => ({ ...cell, slot: cell.slot - (cell.slot % COARSE) }))
      await addToCounts(tx, sumCells(coarse))
      return fine.length
    })
  }
}

async function takeChanges(tx: Tx): Promise<Cell[]> {
  return tx
    .deleteFrom('checkout_count_changes')
    .where('id', 'in', (eb) =>
      eb.selectFrom('checkout_count_changes').select('id').orderBy('id').limit(BATCH),
    )
    .returning([...KEY_COLUMNS, ...COUNTS])
    .execute()
}

async function takeFineCounts(tx: Tx, before: number): Promise<Cell[]> {
  const fine = await tx
    .selectFrom('checkout_counts')
    .selectAll()
    // The exact condition of the partial index.
    .where(sql<boolean>`slot % 3 <> 0`)
    .where('slot', '<', before)
    .orderBy('slot')
    .limit(BATCH)
    .execute()
  for (const cell of fine) await deleteCell(tx, cell)
  return fine
}

const deleteCell = compiledQuery((db: Db, cell: Cell) => {
  let query = db.deleteFrom('checkout_counts')
  for (const name of KEY_COLUMNS) query = query.where(name, '=', cell[name])
  return query
})

async function addToCounts(tx: Tx, cells: readonly Cell[]): Promise<void> {
  for (const cell of cells) {
    const [sum] = (await add(tx, cell)).rows
    // The sessions of this key have moved to another, such as that of their payment method.
    if (sum?.opened === 0 && sum.occurrences === 0) await deleteCell(tx, cell)
  }
}

const add = compiledQuery((db: Db, cell: Cell) =>
  db
    .insertInto('checkout_counts')
    .values(cell)
    .onConflict((conflict) =>
      conflict
        .columns([...KEY_COLUMNS])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            COUNTS.map((name) => [
              name,
              eb(eb.ref(`checkout_counts.${name}`), '+', eb.ref(`excluded.${name}`)),
            ]),
          ),
        ),
    )
    .returning(['opened', 'occurrences']),
)
