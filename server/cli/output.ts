import Table from 'cli-table3'

/** Prints a record as JSON or as `name: value` lines. */
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
 * Prints a list as a JSON object with the member `name`, or as a table. When the table is wider than
 * the terminal, each row becomes a block of lines.
 */
export function printList(name: string, rows: readonly object[], json: boolean): void {
  if (json) return print({ [name]: rows }, true)
  if (rows.length === 0) return console.log(`${name}: none`)
  const rendered = table(rows)
  const fits = rendered.width <= (process.stdout.columns ?? Infinity)
  console.log(fits ? tableText(rendered) : rows.map(block).join('\n\n'))
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('mid-mid')
    .map((part) => [part, '']),
)

function table(rows: readonly object[]): Table.Table {
  const columns = Object.keys(rows[0] ?? {})
  const rendered = new Table({
    head: columns.map(columnTitle),
    chars: { ...NO_BORDERS, middle: '   ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  for (const row of rows) rendered.push(Object.values(row).map((value) => lines(value).join('\n')))
  return rendered
}

function tableText(rendered: Table.Table): string {
  return rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const columnTitle = (column: string) => column.replaceAll('_', ' ').toUpperCase()

/** Renders a row as lines of `TITLE   value`. */
function block(row: object): string {
  const width = Math.max(...Object.keys(row).map((column) => column.length))
  return Object.entries(row)
    .map(([column, value]) => `${columnTitle(column).padEnd(width)}   ${lines(value).join(', ')}`)
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Replaces control characters, because names come from merchants and could control the terminal. */
function lines(value: unknown): string[] {
  if (value === null) return ['-']
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.map((line) => String(line).replace(/\p{Cc}/gu, '�'))
}
