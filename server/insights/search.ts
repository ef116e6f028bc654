import type { Area, Permission } from '../../shared/rules/permissions.ts'
import type { SearchKind, SearchResult } from '../../shared/schemas/search.ts'
import type { Db } from '../db/tables.ts'
import {
  amountOf,
  KIND_OF_SOURCE,
  READ_SEARCHED,
  type SearchedRecord,
  type SearchedSource,
} from './searched.ts'
import { sourceOf } from './sources.ts'
import { typedWords, wordsOf } from './words.ts'

/** The area of the records of each kind. */
const AREA_OF_KIND: Readonly<Record<SearchKind, Area>> = {
  payment: 'payments',
  payment_link: 'payment_links',
  deep_link: 'payment_links',
  account: 'accounts',
  charge: 'charges',
  contract: 'charges',
  refund: 'payments',
}

/** Returns the kinds of `wished` whose records a caller may read. */
export function visibleKinds(
  permitted: ReadonlySet<Permission> | undefined,
  wished: readonly SearchKind[],
): SearchKind[] {
  return wished.filter((kind) => permitted?.has(`${AREA_OF_KIND[kind]}:read`) ?? true)
}

interface Search {
  instanceId: string
  text: string
  kinds: readonly SearchKind[]
  limit: number
  /** Epoch milliseconds. */
  now: number
  /** Of links that name none. */
  defaultCurrency: string
}

/** Greater than every character of a word. */
const END = '\u{10FFFF}'
/** How many words of a beginning are looked at, so that a short one takes no longer than another. */
const LOOKED_AT = 500

/** Finds records by id, by whole words and by beginnings of words; all typed words must be found. */
export async function search(
  db: Db,
  { instanceId, text, ...wish }: Search,
): Promise<SearchResult[]> {
  const { kinds, limit, now, defaultCurrency } = wish
  const typed = text.replaceAll('\0', '').trim().toWellFormed()
  const [first, ...others] = typedWords(typed)
  if (first === undefined) return []
  const found = new Map<string, SearchResult>()
  const add = (records: readonly SearchedRecord[], exact: string | undefined) => {
    for (const record of records) {
      if (found.has(record.id) || record.instance_id !== instanceId) continue
      found.set(record.id, resultOf(record, exact ?? matchedIn(record, first), defaultCurrency))
    }
  }
  const source = sourceOf(typed)
  if (isSearched(source) && kinds.includes(KIND_OF_SOURCE[source])) {
    add(await READ_SEARCHED[source](db, [typed], now), 'id')
  }
  const named = { instanceId, others, limit }
  for (const isExact of [true, false]) {
    if (found.size >= limit) break
    if (!isExact && first.length < 2) break
    const records: SearchedRecord[] = []
    for (const each of Object.keys(KIND_OF_SOURCE) as SearchedSource[]) {
      if (!kinds.includes(KIND_OF_SOURCE[each])) continue
      const ids = await findIds(db, { ...named, kind: KIND_OF_SOURCE[each], word: first, isExact })
      if (ids.length > 0) records.push(...(await READ_SEARCHED[each](db, ids, now)))
    }
    add(records.toSorted(newestFirst), undefined)
  }
  return [...found.values()].slice(0, limit)
}

function newestFirst(one: SearchedRecord, two: SearchedRecord): number {
  return one.created < two.created ? 1 : one.created > two.created ? -1 : 0
}

async function findIds(
  db: Db,
  {
    instanceId,
    kind,
    word,
    isExact,
    others,
    limit,
  }: {
    instanceId: string
    kind: SearchKind
    word: string
    isExact: boolean
    others: readonly string[]
    limit: number
  },
): Promise<string[]> {
  const words = db
    .selectFrom('search_words')
    .select('record_id')
    .where('instance_id', '=', instanceId)
    .where('kind', '=', kind)
  // In the order of the index: the newest of one word, or the first words of a beginning.
  const looked = isExact
    ? words.where('word', '=', word).orderBy('record_id', 'desc')
    : words
        .where('word', '>', word)
        .where('word', '<', word + END)
        .orderBy('word')
  let query = db
    .selectFrom(looked.limit(LOOKED_AT).as('looked'))
    .select('looked.record_id')
    .distinct()
    .orderBy('looked.record_id', 'desc')
    .limit(limit)
  for (const other of others) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('search_words')
          .select('search_words.record_id')
          .whereRef('search_words.record_id', '=', 'looked.record_id')
          .where('search_words.word', '>=', other)
          .where('search_words.word', '<', other + END),
      ),
    )
  }
  return (await query.execute()).map(({ record_id }) => record_id)
}

function isSearched(source: string | undefined): source is SearchedSource {
  return source !== undefined && Object.hasOwn(KIND_OF_SOURCE, source)
}

function matchedIn(record: SearchedRecord, word: string): string {
  const texts = { ...record.texts, amount: amountOf(record) }
  const [name] =
    Object.entries(texts).find(
      ([, text]) => text != null && wordsOf(text).some((each) => each.startsWith(word)),
    ) ?? []
  return name ?? 'id'
}

function resultOf(record: SearchedRecord, matched: string, defaultCurrency: string): SearchResult {
  const { kind, id, title, detail, status, created } = record
  const amount = amountOf(record)
  const currency = record.currency ?? (amount === null ? null : defaultCurrency)
  return { kind, id, title, detail, status, amount, currency, created, matched }
}
