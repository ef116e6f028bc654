import type { SearchWordsTable } from '../db/tables/insights.ts'
import { inPowersOfTwo } from '../db/batches.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { amountOf, KIND_OF_SOURCE, READ_SEARCHED, type SearchedRecord } from './searched.ts'
import type { Source } from './sources.ts'
import { wordsOf } from './words.ts'

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
  for (const part of inPowersOfTwo(rows)) {
    await insert(tx, {
      instances: part.map((row) => row.instance_id),
      kinds: part.map((row) => row.kind),
      words: part.map((row) => row.word),
      records: part.map((row) => row.record_id),
    })
  }
}

const insert = compiledQuery(
  (
    db: Db,
    {
      instances,
      kinds,
      words,
      records,
    }: Record<'instances' | 'kinds' | 'words' | 'records', string[]>,
  ) =>
    db.insertInto('search_words').values(
      records.map((record_id, at) => ({
        instance_id: instances[at] as string,
        kind: kinds[at] as string,
        word: words[at] as string,
        record_id,
      })),
    ),
)

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
