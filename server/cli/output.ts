import Table from 'cli-table3'

/** Prints one record: a JSON object for programs, or `name: value` lines for people. */
export function print(values: Record<string, unknown>, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(values))
    return
  }
  for (const [name, value] of Object.entries(values)) {
    console.log(`${name}: ${lines(value).join(', ') || 'none'}`)
  }
}

/**
 * Prints a list: for programs a JSON object with the rows as its member `name`, for people a table
 * with a column for each member of a row. A table that is wider than the terminal would wrap, so
 * there each row becomes lines of its own. Prints `none` to a person where the list is empty.
 */
export function printList(name: string, rows: readonly object[], json: boolean): void {
  if (json) return print({ [name]: rows }, true)
  if (rows.length === 0) return console.log(`${name}: none`)
  const drawn = table(rows)
  const fits = drawn.width <= (process.stdout.columns ?? Infinity)
  console.log(fits ? textOf(drawn) : rows.map(block).join('\n\n'))
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('mid-mid')
    .map((part) => [part, '']),
)

function table(rows: readonly object[]): Table.Table {
  const columns = Object.keys(rows[0] ?? {})
  const drawn = new Table({
    head: columns.map(titleOf),
    chars: { ...NO_BORDERS, middle: '   ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  for (const row of rows) drawn.push(Object.values(row).map((value) => lines(value).join('\n')))
  return drawn
}

function textOf(drawn: Table.Table): string {
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const titleOf = (column: string) => column.replaceAll('_', ' ').toUpperCase()

/** A row as lines of `TITLE   value`. */
function block(row: object): string {
  const width = Math.max(...Object.keys(row).map((column) => column.length))
  return Object.entries(row)
    .map(([column, value]) => `${titleOf(column).padEnd(width)}   ${lines(value).join(', ')}`)
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Names come from merchants: a control character in one would steer the operator's terminal. */
function lines(value: unknown): string[] {
  if (value === null) return ['-']
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.map((line) => String(line).replace(/\p{Cc}/gu, '�'))
}
