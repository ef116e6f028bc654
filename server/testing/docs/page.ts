import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

/** The pages of `docs/`, read as the tests of the documentation need them. */

const DOCS = new URL('../../../docs/', import.meta.url)

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

/** Returns what stands below a heading, such as `## Options`, up to the next one of its level. */
export function sectionOf(text: string, heading: string): string {
  const level = heading.split(' ', 1)[0] as string
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`There is no heading "${heading}"`)
  const body = text.slice(start + heading.length + 2)
  const end = body.search(new RegExp(`^#{1,${level.length}} `, 'm'))
  return end < 0 ? body : body.slice(0, end)
}

/** Returns the rows of all tables in a text that begin with a name in backticks, by that name. */
export function rowsByName(text: string): Map<string, string> {
  const rows = new Map<string, string>()
  for (const row of text.split('\n').filter((line) => line.startsWith('|'))) {
    const first = row.split('|')[1] ?? ''
    for (const [, name = ''] of first.matchAll(/`([^`]+)`/g)) {
      if (rows.has(name)) throw new Error(`Two rows begin with ${name}`)
      rows.set(name, row)
    }
  }
  return rows
}
