import { advisoryLock } from '../db/named-locks.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { fileTotals } from './file-totals.ts'
import { fileWords } from './file-words.ts'
import { type Source, sourceOf, SOURCES } from './sources.ts'

/** Records of a transaction. */
const BATCH = 500
/** Older ones of a transaction; requests wait for it. */
const OLDER_BATCH = 100
export const FILING_LOCK = 'file insights'

/** Files everything that is not filed, without a pause. The jobs do it in steps. */
export async function fileInsights(deps: Pick<Deps, 'db'>): Promise<void> {
  await fileChanges(deps)
  while (await fileOlder(deps)) await fileChanges(deps)
}

/**
 * Files the records that were made or changed. An event leaves the id of its record in the transaction of
 * the change, so that none is missed, and the record is read as it is now, so that its order does not matter
 * (D274). Safe to run in several processes.
 */
export async function fileChanges(deps: Pick<Deps, 'db'>): Promise<void> {
  for (let found = BATCH; found === BATCH;) found = await fileNextChanges(deps)
}

/** Files everything anew, for totals that are doubted. Returns the number of records. */
export async function rebuildInsights(deps: Pick<Deps, 'db'>): Promise<number> {
  await inTransaction(deps.db, async (tx) => {
    await advisoryLock(tx, FILING_LOCK)
    await tx.deleteFrom('insight_backfills').execute()
    await tx.deleteFrom('totals').execute()
    await tx.deleteFrom('filed_totals').execute()
    await tx.deleteFrom('search_words').execute()
    const all = SOURCES.map((source) => ({ source, before_id: '~' }))
    await tx.insertInto('insight_backfills').values(all).execute()
  })
  let count = 0
  for (let found = await fileOlder(deps); found > 0; found = await fileOlder(deps)) count += found
  return count
}

/** Returns the number of changes. */
async function fileNextChanges({ db }: Pick<Deps, 'db'>): Promise<number> {
  // A look without a lock, for the usual case that there is nothing.
  if (!(await db.selectFrom('insight_changes').select('id').limit(1).executeTakeFirst())) return 0
  return inTransaction(db, async (tx) => {
    await advisoryLock(tx, FILING_LOCK)
    const changes = await tx
      .deleteFrom('insight_changes')
      .where('id', 'in', (eb) =>
        eb.selectFrom('insight_changes').select('id').orderBy('id').limit(BATCH),
      )
      .returning('record_id')
      .execute()
    const ids = [...new Set(changes.map(({ record_id }) => record_id))]
    for (const [source, own] of Map.groupBy(ids, sourceOf)) {
      if (source !== undefined) await fileRecords(tx, source, own)
    }
    return changes.length
  })
}

/**
 * Files the next records of one table from before there were changes to note, as after an upgrade. Returns
 * their number; 0 when all are filed.
 */
export async function fileOlder({ db }: Pick<Deps, 'db'>): Promise<number> {
  for (;;) {
    const open = await db.selectFrom('insight_backfills').select('source').executeTakeFirst()
    if (open === undefined) return 0
    const source = open.source as Source
    const found = await inTransaction(db, async (tx) => {
      await advisoryLock(tx, FILING_LOCK)
      const state = await tx
        .selectFrom('insight_backfills')
        .select('before_id')
        .where('source', '=', source)
        .executeTakeFirst()
      if (state === undefined) return 0
      const rows = await tx
        .selectFrom(source as 'payments')
        .select('id')
        .where('id', '<', state.before_id)
        .orderBy('id', 'desc')
        .limit(OLDER_BATCH)
        .execute()
      const oldest = rows.at(-1)
      if (oldest === undefined) {
        await tx.deleteFrom('insight_backfills').where('source', '=', source).execute()
        return 0
      }
      await fileRecords(
        tx,
        source,
        rows.map(({ id }) => id),
      )
      await tx
        .updateTable('insight_backfills')
        .set({ before_id: oldest.id })
        .where('source', '=', source)
        .execute()
      return rows.length
    })
    if (found > 0) return found
  }
}

async function fileRecords(tx: Tx, source: Source, ids: readonly string[]): Promise<void> {
  await fileTotals(tx, source, ids)
  await fileWords(tx, source, ids)
}
