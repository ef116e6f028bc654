import { setImmediate } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { LIST_BYTES_MAX, tooLarge } from '../limits/lists.ts'
import type { ListMeta } from './list.ts'
import type { AppContext } from './router.ts'

/**
 * Rows whose records are made at once. A record may be a megabyte, and what it expands to as well:
 * so many of them are read and written without a pause.
 */
export const ROWS_AT_ONCE = 25
/** Bytes of JSON that are written without a pause, which takes about a millisecond. */
const BYTES_AT_ONCE = 250_000

/**
 * Answers a list: `records` makes the records of some of its rows, in their order, and `name` is
 * what they stand under, beside `meta`. It works in pieces and lets other requests in between them,
 * since a thousand records may be ten megabytes. Throws a 400 Refusal for a list of more than
 * LIST_BYTES_MAX as soon as it is as long, and whatever `records` throws.
 */
export async function answerList<Row>(
  deps: Pick<Deps, 'security'>,
  c: AppContext,
  list: {
    name: string
    rows: readonly Row[]
    meta: ListMeta
    records: (rows: readonly Row[]) => Promise<readonly object[]>
  },
): Promise<Response> {
  const texts: string[] = []
  let bytes = 0
  let unbroken = 0
  // Once at least: what is asked for may be refused though there is nothing to show.
  for (let start = 0; start === 0 || start < list.rows.length; start += ROWS_AT_ONCE) {
    for (const record of await list.records(list.rows.slice(start, start + ROWS_AT_ONCE))) {
      const text = JSON.stringify(record)
      texts.push(text)
      const size = Buffer.byteLength(text) + 1
      bytes += size
      unbroken += size
      if (bytes > LIST_BYTES_MAX) throw tooLarge(deps.security, c.get('instance').id)
      if (unbroken < BYTES_AT_ONCE) continue
      unbroken = 0
      await setImmediate()
    }
  }
  const body = `{"${list.name}":[${texts.join()}],"meta":${JSON.stringify(list.meta)}}`
  return c.body(body, 200, { 'Content-Type': 'application/json' })
}
