import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../../shared/rules/spreadsheet-formula.ts'
import { isTimeZone } from '../../shared/rules/time.ts'
import type { Deps, ListTurn } from '../deps.ts'
import { invalid } from '../errors.ts'
import type { ListQuery, Page, Pagination } from './list-query.ts'
import type { AppContext } from './router.ts'

/** A list as a file of comma-separated values (RFC 4180). */

/** Rows of one file. */
const ROWS_MAX = 100_000
/** Rows that are read in one turn of the instance. */
const BATCH = 500
const SERIALIZED_AT_ONCE = 50

/** Returns whether a request asks for CSV rather than JSON. */
export function wantsCsv(c: AppContext): boolean {
  const accepted = (c.req.header('accept') ?? '').split(',').map((part) => part.split(';')[0])
  const first = accepted.map((type) => type?.trim().toLowerCase())
  return first.find((type) => type === 'text/csv' || type === 'application/json') === 'text/csv'
}

export interface CsvList<Row> {
  /** The name of the file, without its ending. */
  name: string
  /** Members of the records; undefined when the schema does not say. */
  members: readonly string[] | undefined
  /** The fields that the criteria name. */
  fields: readonly string[]
  columns: string | undefined
  timezone: string | undefined
  id: (row: Row) => string
  read: (turn: ListTurn, page: Pagination & Pick<ListQuery, 'total'>) => Promise<Page<Row>>
  serialize: (rows: readonly Row[]) => Promise<readonly object[]>
}

/**
 * Returns the response of a list as CSV, which is written while it is read. Rows are as they are when they
 * are read; one that moves within the list meanwhile is written once. Throws a 400 ApiError for an unknown
 * column or time zone, and for more than 100 000 rows.
 */
export async function csvResponse<Row>(
  { listReads, recordExport }: Pick<Deps, 'listReads' | 'recordExport'>,
  c: AppContext,
  list: CsvList<Row>,
): Promise<Response> {
  const { id: instanceId } = c.get('instance')
  const named = readColumns(list.columns, list.members)
  const text = csvText(list.timezone)
  const read = (page: { offset: number; total?: number }) =>
    listReads.inTurn(instanceId, (turn) => list.read(turn, { limit: BATCH, ...page }))
  const first = await read({ offset: 0 })
  if (first.total > ROWS_MAX) {
    throw invalid('criteria', `match ${first.total} records; a file has at most ${ROWS_MAX}`)
  }
  // At least once: `expand` may be invalid even if there are no rows.
  const sample = await list.serialize(first.rows.slice(0, 1))
  const columns = named ?? list.members ?? Object.keys(sample[0] ?? {})
  await recordExport(c, { list: list.name, fields: list.fields, rows: first.total })

  async function* lines(): AsyncGenerator<string> {
    // The mark by which spreadsheets know the encoding.
    yield `\uFEFF${stringify([columns])}`
    const written = new Set<string>()
    let page: Page<Row> = first
    for (let offset = 0; page.rows.length > 0;) {
      const rows = page.rows.filter((row) => !written.has(list.id(row)))
      for (const row of rows) written.add(list.id(row))
      for (let start = 0; start < rows.length; start += SERIALIZED_AT_ONCE) {
        const records = await list.serialize(rows.slice(start, start + SERIALIZED_AT_ONCE))
        yield stringify(
          records.map((record) => columns.map((column) => text(memberOf(record, column)))),
        )
      }
      offset += page.rows.length
      if (page.rows.length < BATCH || offset >= ROWS_MAX) return
      page = await read({ offset, total: first.total })
    }
  }

  const encoder = new TextEncoder()
  const generator = lines()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await generator.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await generator.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
  return c.body(body, 200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${list.name}.csv"`,
  })
}

/** Throws a 400 ApiError for a column that records do not have. */
function readColumns(
  text: string | undefined,
  members: readonly string[] | undefined,
): string[] | undefined {
  if (text === undefined) return undefined
  const columns = text.split(',').map((column) => column.trim())
  const unknown = columns.find((column) => {
    const [member = ''] = column.split('.')
    return member === '' || (members !== undefined && !members.includes(member))
  })
  if (unknown !== undefined) throw invalid('columns', `has the unknown column ${unknown}`)
  return columns
}

/** Returns what `account.email` names in a record; undefined where a part is missing. */
function memberOf(record: object, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      record,
    )
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Returns what writes a value into a cell. Times are in `timezone` as `2030-05-01 14:00:00`, and as in the
 * API without it. Text that a spreadsheet would compute gets an apostrophe. Throws a 400 ApiError for an
 * unknown time zone.
 */
export function csvText(timezone: string | undefined): (value: unknown) => string {
  if (timezone !== undefined && !isTimeZone(timezone)) {
    throw invalid('timezone', 'must be a time zone such as Europe/Paris')
  }
  const format =
    timezone === undefined
      ? undefined
      : new Intl.DateTimeFormat('sv-SE', {
          timeZone: timezone,
          dateStyle: 'short',
          timeStyle: 'medium',
        })
  return (value) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'object') return JSON.stringify(value)
    // oxlint-disable-next-line typescript/no-base-to-string -- a scalar
    const text = String(value)
    if (format && INSTANT.test(text)) return format.format(new Date(text))
    return NUMBER.test(text) ? text : escapeFormula(text)
  }
}
