import { setImmediate } from 'node:timers/promises'
import type { Deps, ListTurn } from '../deps.ts'
import { LIST_BYTES_MAX, tooLarge } from './list-reads.ts'
import { listMetaOf, type Page, type Pagination } from './list-query.ts'
import type { AppContext } from './router.ts'

/**
 * Rows that are serialized at once, without a pause for other requests. A record may be a megabyte,
 * and so may each record that it is expanded with.
 */
export const ROWS_AT_ONCE = 10
/** Bytes of JSON that are written without a pause: about a millisecond. */
const BYTES_AT_ONCE = 250_000

interface List<Row> {
  /** The member of the response that holds the records. */
  name: string
  pagination: Pagination
  read: (turn: ListTurn) => Promise<Page<Row>>
  /** Returns the records of some rows, in their order. */
  serialize: (rows: readonly Row[]) => Promise<readonly object[]>
}

/**
 * Returns the response of a list. The whole list is read and written in one turn of the instance, so
 * that rows do not pile up in memory, and in batches with pauses for other requests, because a
 * thousand records may be ten megabytes. Throws a 400 ApiError for a list longer than LIST_BYTES_MAX
 * and a 429 ApiError when too many lists of the instance wait.
 */
export async function listResponse<Row>(
  { listReads, security }: Pick<Deps, 'listReads' | 'security'>,
  c: AppContext,
  list: List<Row>,
): Promise<Response> {
  const { id } = c.get('instance')
  const body = await listReads.inTurn(id, async (turn) => {
    const { rows, total, sums } = await list.read(turn)
    const records = await writeRecords(rows, list.serialize, () => tooLarge(security, id))
    return `{"${list.name}":[${records}],"meta":${JSON.stringify(listMetaOf(list.pagination, total, sums))}}`
  })
  return c.body(body, 200, { 'Content-Type': 'application/json' })
}

/** Returns the records as JSON, separated by commas. */
async function writeRecords<Row>(
  rows: readonly Row[],
  serialize: List<Row>['serialize'],
  tooLong: () => Error,
): Promise<string> {
  const texts: string[] = []
  let bytes = 0
  let unbroken = 0
  // At least once: `expand` may be invalid even if there are no rows.
  for (let start = 0; start === 0 || start < rows.length; start += ROWS_AT_ONCE) {
    for (const record of await serialize(rows.slice(start, start + ROWS_AT_ONCE))) {
      const text = JSON.stringify(record)
      texts.push(text)
      const size = Buffer.byteLength(text) + 1
      bytes += size
      unbroken += size
      if (bytes > LIST_BYTES_MAX) throw tooLong()
      if (unbroken < BYTES_AT_ONCE) continue
      unbroken = 0
      await setImmediate()
    }
  }
  return texts.join()
}
