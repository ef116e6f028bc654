import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadConsole } from './built-console.ts'

/** What browsers load for the console, in bytes after compression. */

const DIST = new URL('../../dist/', import.meta.url)

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

type Manifest = Record<string, Chunk>

const readManifest = (build: string): Manifest =>
  JSON.parse(readFileSync(new URL(`${build}/manifest.json`, DIST), 'utf8')) as Manifest

const manifest = readManifest('console')
const preview = readManifest('preview')

/** The files of a module and of all that it always loads. */
function filesOf(name: string, build = manifest): Set<string> {
  const loaded = new Set([name])
  const files = new Set<string>()
  for (const each of loaded) {
    const { file, css = [], imports = [] } = build[each] ?? { file: '' }
    expect(file, each).not.toBe('')
    for (const one of [file, ...css]) files.add(one)
    for (const imported of imports) loaded.add(imported)
  }
  return files
}

const sizes = new Map<string, number>()
function sizeOf(files: Iterable<string>, build = 'console'): number {
  let total = 0
  for (const file of files) {
    const known =
      sizes.get(file) ?? brotliCompressSync(readFileSync(new URL(`${build}/${file}`, DIST))).length
    sizes.set(file, known)
    total += known
  }
  return total
}

/** What the first screen takes, that of the links. */
const FIRST = filesOf('console/main.tsx')

const screens = Object.keys(manifest).filter((name) => name.startsWith('console/screens/'))
/** The wording editor loads the catalog of English, too, which is a part of its own. */
const LARGE: Readonly<Record<string, number>> = { 'console/screens/wording/Wording.tsx': 28_000 }

describe('the size of the console', () => {
  it('is at most 75 kB for the first visit', () => {
    // The document and the answers of the first screen come on top.
    expect(sizeOf(FIRST)).toBeLessThan(67_000)
  })

  it('is in few files, which the document names', async () => {
    const { shell } = loadConsole(DIST)
    expect(new Set([shell.script, ...shell.preloads, ...shell.styles])).toEqual(
      new Set([...FIRST].map((file) => `/${file}`)),
    )
    // The document, with the first answers in it, and the stream of events come on top: four requests.
    expect(FIRST.size).toBeLessThanOrEqual(2)
  })

  it('is at most 4 kB for the script of sign-in', () => {
    const files = filesOf('console/sign-in.ts')
    expect([...files].filter((file) => file.endsWith('.css'))).toEqual([])
    expect(sizeOf(files)).toBeLessThan(4000)
  })

  it('has screens to measure', () => {
    expect(screens.length).toBeGreaterThan(10)
  })

  it.each(screens)('is within the budget of %s after it', (name) => {
    const more = [...filesOf(name)].filter((file) => !FIRST.has(file))
    expect(sizeOf(more)).toBeLessThanOrEqual(LARGE[name] ?? 15_000)
  })

  // The page with every part is 46 kB of it; its states and the English catalog are the rest.
  it('is at most 60 kB for the frame of the preview, with every part of the page', () => {
    const parts = Object.keys(preview).filter((name) => name.startsWith('widget/page/chunks/'))
    const files = new Set(
      ['widget/preview/main.ts', ...parts].flatMap((name) => [...filesOf(name, preview)]),
    )
    expect(sizeOf(files, 'preview')).toBeLessThan(60_000)
  })
})
