import type { SearchWordsTable } from '../db/tables/insights.ts'
import type { Tx } from '../db/tables.ts'
import { amountOf, KIND_OF_SOURCE, READ_SEARCHED, type SearchedRecord } from './searched.ts'
import type { Source } from './sources.ts'
import { wordsOf } from './words.ts'

/** Rows of one statement, below the limit of parameters of both databases. */
const ROWS_MAX = 2000

/**
 * Replaces the words of some records of a table by those that they have now. The caller holds the lock of
 * the filing.
 */
export async function fileWords(tx: Tx, source: Source, ids: readonly string[]): Promise<void> {
  if (!isSearched(source)) return
  const records = await READ_SEARCHED[source](tx, ids, 0)
  const after = new Map(records.map((record) => [record.id, rowsOf(record)]))
  const stored = await tx
    .selectFrom('search_words')
    .selectAll()
    .where('record_id', 'in', ids)
    .execute()
  const before = Map.groupBy(stored, ({ record_id }) => record_id)
  const changed = ids.filter((id) => textOf(before.get(id)) !== textOf(after.get(id)))
  if (changed.length === 0) return
  await tx.deleteFrom('search_words').where('record_id', 'in', changed).execute()
  const rows = changed.flatMap((id) => after.get(id) ?? [])
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    await tx
      .insertInto('search_words')
      .values(rows.slice(start, start + ROWS_MAX))
      .execute()
  }
}

function isSearched(source: Source): source is keyof typeof KIND_OF_SOURCE {
  return Object.hasOwn(KIND_OF_SOURCE, source)
}

function rowsOf(record: SearchedRecord): SearchWordsTable[] {
  const { id: record_id, instance_id, kind } = record
  const texts = [...Object.values(record.texts), amountOf(record)]
  const words = new Set(texts.flatMap((text) => (text == null ? [] : wordsOf(text))))
  return [...words].map((word) => ({ instance_id, kind, word, record_id }))
}

function textOf(rows: readonly SearchWordsTable[] | undefined): string {
  return (rows ?? [])
    .map(({ word }) => word)
    .toSorted()
    .join(' ')
}
