/** Characters with which spreadsheets begin a formula, also in their full-width forms. */
const SIGN = '[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]'
const FORMULA = new RegExp(`^'*${SIGN}`)
const ESCAPED = new RegExp(`^'+${SIGN}`)

/** Returns the text of a cell with an apostrophe before what a spreadsheet would compute. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Returns the text that `escapeFormula` made a cell of. */
export function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}
