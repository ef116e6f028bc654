import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

/** The pages of `docs/`, read as the tests of the documentation need them. */

const DOCS = new URL('../../docs/', import.meta.url)

/** A fenced block: its language, what stands behind the language, and its text. */
export interface Block {
  language: string
  info: string
  text: string
  /** The line of the page on which its text begins, from 1. */
  line: number
}

/** Returns the names of all pages, such as `charges.md`. */
export function pageNames(): string[] {
  return readdirSync(DOCS).filter((name) => name.endsWith('.md'))
}

/** Returns the text of a page; throws when there is none. */
export function readPage(name: string): string {
  return readFileSync(new URL(name, DOCS), 'utf8')
}

/** Writes the text of a page. */
export function writePage(name: string, text: string): void {
  writeFileSync(new URL(name, DOCS), text)
}

/** Returns the fenced blocks of a page in their order. */
export function blocksOf(text: string): Block[] {
  const fences = [...text.matchAll(/^```(\w*) ?([^\n]*)\n([\s\S]*?)^```$/gm)]
  return fences.map(({ 1: language = '', 2: info = '', 3: body = '', index }) => ({
    language,
    info,
    text: body,
    line: text.slice(0, index).split('\n').length + 1,
  }))
}

/**
 * Returns the rows of the tables whose first column has a title, such as `Option`, by each name in
 * backticks that the row begins with. Throws when there is no such table, or two rows have one name.
 */
export function rowsOf(name: string, title: string): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const [head = [], ...body] of tablesOf(readPage(name))) {
    if (head[0] !== title) continue
    for (const cells of body) {
      for (const [, member = ''] of (cells[0] ?? '').matchAll(/`([^`]+)`/g)) {
        if (rows.has(member)) throw new Error(`${name} has two rows for ${member}`)
        rows.set(member, cells)
      }
    }
  }
  if (rows.size === 0) throw new Error(`${name} has no table of "${title}"`)
  return rows
}

/** Returns the tables of a text as rows of cells; the first row is the titles. */
function tablesOf(text: string): string[][][] {
  const tables = text.match(/^\|.*\n(?:\|.*\n)+/gm) ?? []
  return tables.map((table) =>
    table
      .trim()
      .split('\n')
      .filter((line) => !/^\|[\s|:-]+$/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
}

/** Returns the anchors of a page's headings, as a link names them. */
export function headingsOf(text: string): string[] {
  const outsideCode = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...outsideCode.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}
