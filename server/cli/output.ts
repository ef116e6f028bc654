import Table from 'cli-table3'

/** Prints one record: a JSON object for programs, or `name: value` lines for people. */
export function print(values: Record<string, unknown>, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(values))
    return
  }
  for (const [name, value] of Object.entries(values)) {
    console.log(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  }
}

/**
 * Prints a list: for programs a JSON object with the rows as its member `name`, for people a table
 * with a column for each member of a row. Prints `none` to a person where the list is empty.
 */
export function printList(name: string, rows: readonly object[], json: boolean): void {
  if (json) return print({ [name]: rows }, true)
  console.log(rows.length === 0 ? `${name}: none` : table(rows))
}

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('mid-mid')
    .map((part) => [part, '']),
)

function table(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const drawn = new Table({
    head: columns.map((column) => column.replaceAll('_', ' ').toUpperCase()),
    chars: { ...NO_BORDERS, middle: '   ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  for (const row of rows) drawn.push(Object.values(row).map(cell))
  const lines = drawn.toString().split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** Names come from merchants: a control character in one would steer the operator's terminal. */
function cell(value: unknown): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const lines: unknown[] = Array.isArray(value) ? value : [value]
  return lines.map((line) => String(line).replace(/\p{Cc}/gu, '�')).join('\n')
}
