import { setImmediate } from 'node:timers/promises'
import type { Deps, ListTurn } from '../deps.ts'
import { LIST_BYTES_MAX, tooLarge } from './list-reads.ts'
import { listMetaOf, type Page, type Pagination } from './list-query.ts'
import type { AppContext } from './router.ts'

/**
 * Rows whose records are made at once. A record may be a megabyte, and what it expands to as well:
 * so many of them are read and written without a pause.
 */
export const ROWS_AT_ONCE = 10
/** Bytes of JSON that are written without a pause, which takes about a millisecond. */
const BYTES_AT_ONCE = 250_000

interface ListAnswer<Row> {
  /** What the records stand under. */
  name: string
  asked: Pagination
  read: (turn: ListTurn) => Promise<Page<Row>>
  /** The records of some of the rows, in their order. */
  records: (rows: readonly Row[]) => Promise<readonly object[]>
}

/**
 * Answers a list, all of it in one turn of the instance: rows that waited somewhere to be written
 * would pile up. It works in pieces and lets other requests in between them, since a thousand records
 * may be ten megabytes. Throws a 400 ApiError for a list of more than LIST_BYTES_MAX as soon as it is
 * as long, a 429 one when too many lists of the instance wait, and whatever `read` and `records`
 * throw.
 */
export async function listResponse<Row>(
  { listReads, security }: Pick<Deps, 'listReads' | 'security'>,
  c: AppContext,
  list: ListAnswer<Row>,
): Promise<Response> {
  const { id } = c.get('instance')
  const body = await listReads.inTurn(id, async (turn) => {
    const { rows, total } = await list.read(turn)
    const records = await writeRecords(rows, list.records, () => tooLarge(security, id))
    return `{"${list.name}":[${records}],"meta":${JSON.stringify(listMetaOf(list.asked, total))}}`
  })
  return c.body(body, 200, { 'Content-Type': 'application/json' })
}

/** The records as JSON, with commas between them. */
async function writeRecords<Row>(
  rows: readonly Row[],
  records: ListAnswer<Row>['records'],
  refusal: () => Error,
): Promise<string> {
  const texts: string[] = []
  let bytes = 0
  let unbroken = 0
  // Once at least: what is asked for may be refused though there is nothing to show.
  for (let start = 0; start === 0 || start < rows.length; start += ROWS_AT_ONCE) {
    for (const record of await records(rows.slice(start, start + ROWS_AT_ONCE))) {
      const text = JSON.stringify(record)
      texts.push(text)
      const size = Buffer.byteLength(text) + 1
      bytes += size
      unbroken += size
      if (bytes > LIST_BYTES_MAX) throw refusal()
      if (unbroken < BYTES_AT_ONCE) continue
      unbroken = 0
      await setImmediate()
    }
  }
  return texts.join()
}
