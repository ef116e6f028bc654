/** How results are printed: as JSON for programs, as tables and lines for people. */
export interface Printer {
  record: (record: object) => void
  rows: (name: string, rows: readonly object[]) => void
  line: (text: string) => void
}

const CELL_WIDTH = 46

/** `isColored` is false where the output is no terminal, and with `NO_COLOR`. */
export function createPrinter(write: (text: string) => void, { json }: { json: boolean }): Printer {
  const line = (text: string) => write(`${text}\n`)
  if (json) {
    return {
      record: (record) => line(JSON.stringify(record)),
      rows: (name, rows) => line(JSON.stringify({ [name]: rows })),
      line: () => {},
    }
  }
  return {
    line,
    record(record) {
      const width = Math.max(...Object.keys(record).map(({ length }) => length))
      for (const [name, value] of Object.entries(record)) {
        line(`${name.padEnd(width)}  ${text(value)}`)
      }
    },
    rows(name, rows) {
      if (rows.length === 0) return line(`${name}: none`)
      const columns = Object.keys(rows[0] ?? {})
      const cells = rows.map((row) => columns.map((column) => cell((row as never)[column])))
      const widths = columns.map((column, at) =>
        Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)),
      )
      const lineOf = (values: readonly string[]) =>
        values
          .map((value, at) => value.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()
      line(lineOf(columns.map((column) => column.replaceAll('_', ' ').toUpperCase())))
      for (const row of cells) line(lineOf(row))
    },
  }
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function cell(value: unknown): string {
  const whole = text(value).replaceAll(/\s+/g, ' ')
  return whole.length > CELL_WIDTH ? `${whole.slice(0, CELL_WIDTH - 1)}…` : whole
}
