import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { escapeFormula, unescapeFormula } from '../../../shared/rules/spreadsheet-formula.ts'
import { contentError } from './content-error.ts'
import type { FileFormat } from './format.ts'

/** A table with the columns `id`, `note`, `base` and the language, for spreadsheets. */
export const CSV_FORMAT: FileFormat = {
  extension: 'csv',

  write: async (strings, language) => {
    const rows = strings.map(({ id, note, base, text }) => [
      id,
      note,
      escapeFormula(base),
      escapeFormula(text),
    ])
    return stringify([['id', 'note', 'base', language], ...rows], { bom: true })
  },

  parse: async (content, language) => {
    const [head = [], ...rows] = readRows(content)
    const idAt = head.indexOf('id')
    const textAt = head.indexOf(language)
    if (idAt < 0 || textAt < 0) throw contentError(`must have the columns id and ${language}`)
    const texts = new Map<string, string>()
    for (const row of rows) {
      const id = row[idAt] ?? ''
      const text = unescapeFormula(row[textAt] ?? '')
      // What is not translated yet is an empty cell, which must not hide the string.
      if (id === '' || text === '') continue
      if (texts.has(id)) throw contentError(`must have ${id.slice(0, 255)} once`)
      texts.set(id, text)
    }
    return texts
  },
}

function readRows(content: string): string[][] {
  try {
    return parse(content, {
      bom: true,
      delimiter: delimiterOf(content),
      relax_column_count: true,
      skip_empty_lines: true,
    })
  } catch {
    throw contentError('must be a CSV file (RFC 4180)')
  }
}

/** Returns what separates the columns: spreadsheets of some countries write `;` or a tab. */
function delimiterOf(content: string): string {
  const head = content.slice(0, content.search(/[\r\n]|$/))
  const [first = ','] = [',', ';', '\t'].filter((sign) => head.split(sign).length > 1)
  return first
}
