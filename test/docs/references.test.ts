import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../server/root.ts'
import { headingsOf, pageNames, readPage, rowsOf } from './markdown.ts'

/** What the documentation refers to exists: files, headings, decisions, settings, log messages. */

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Pages by their path from the root. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...pageNames().map((name) => `docs/${name}`),
]

/** Source files below the folders, by their path from the root; tests are included. */
function sourcesOf(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|css|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
}

/** Paths in backticks, with each alternative of `{a,b}`. */
function pathsOf(text: string): string[] {
  const paths = text.matchAll(
    /`((?:docs|e2e|examples|locales|scripts|server|shared|test|widget)\/[^`\s*…]*)`/g,
  )
  return [...paths].flatMap(([, path = '']) => {
    const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
    return names === undefined ? [path] : names.split(',').map((name) => before + name + after)
  })
}

describe.each(PAGES)('%s', (page) => {
  const text = read(page)

  it('names files that exist', () => {
    for (const path of pathsOf(text))
      expect([path, existsSync(new URL(path, ROOT))]).toEqual([path, true])
  })

  it('names scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g))
      expect(Object.keys(scripts)).toContain(script)
  })

  it('links to files and headings that exist', () => {
    for (const [, path = '', anchor] of text.matchAll(
      /\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g,
    )) {
      const target = path === '' ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT))
      expect([path, existsSync(target)]).toEqual([path, true])
      if (anchor !== undefined) expect(headingsOf(readFileSync(target, 'utf8'))).toContain(anchor)
    }
  })
})

describe('docs/settings.md', () => {
  it('names each setting of server/config.ts, except the one for crash tests', () => {
    const [, schema = ''] = /= z\.object\(\{([\s\S]*?)^\}\)/m.exec(read('server/config.ts')) ?? []
    const settings = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'CHECKSTAND_FAILPOINT')
    expect([...rowsOf('settings.md', 'Variable').keys()].toSorted()).toEqual(settings.toSorted())
  })

  it('names each command of the program', () => {
    const source = read('server/cli/run-command-line.ts')
    const [, table = ''] = /const COMMANDS[^{]*\{([\s\S]*?)^\}/m.exec(source) ?? []
    const commands = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
    expect([...rowsOf('settings.md', 'Command').keys()].toSorted()).toEqual(commands.toSorted())
  })
})

describe('docs/architecture.md', () => {
  it('has the first path of each layer that the import check uses, in their order', () => {
    const [, list = ''] =
      /const LAYERS = \[([\s\S]*?)^\]/m.exec(read('.dependency-cruiser.mjs')) ?? []
    const layers = [...list.matchAll(/\[\s*'([^']+)'/g)]
      .map(([, path = '']) => path)
      .filter((path) => existsSync(new URL(path, ROOT)))
    expect([...rowsOf('architecture.md', 'Layer').keys()]).toEqual(layers)
  })
})

describe('docs/operations.md', () => {
  it('names log messages that the server writes', () => {
    const sources = sourcesOf('server').map((path) => read(path))
    for (const message of rowsOf('operations.md', 'Message').keys()) {
      const words = message.replace('…', '')
      const found = sources.some((source) => source.includes(words))
      expect([message, found]).toEqual([message, true])
    }
  })
})

describe('docs/decisions.md', () => {
  const numbers = [...readPage('decisions.md').matchAll(/^- \*\*(D\d+)\./gm)].map(
    ([, number = '']) => number,
  )

  it('has each number once', () => {
    expect(numbers.length).toBeGreaterThan(100)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  })

  it('has each decision that code or a page cites', () => {
    const comments = sourcesOf('e2e', 'scripts', 'server', 'shared', 'test', 'widget').flatMap(
      (path) => (read(path).match(/^\s*(\/?\*|\/\/).*$/gm) ?? []).map((line) => [path, line]),
    )
    const lines = [...comments, ...PAGES.map((page) => [page, read(page)])]
    for (const [path, line = ''] of lines)
      for (const [cited] of line.matchAll(/(?<![\w/-])D\d{1,3}(?![\w/-])/g))
        expect([path, cited, numbers.includes(cited)]).toEqual([path, cited, true])
  })
})
