import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseSync } from 'vite'
import { isDeep } from './depth.ts'
import { growsLinearly } from './linear-time.ts'

// The analyzer's other backends are separate programs.
process.env['RECHECK_SYNC_BACKEND'] = 'pure'
const { checkSync } = await import('recheck')

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = globSync('{server,shared}/**/*.ts', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** Returns every pattern in `server/` and `shared/`, with its file. */
async function patternsOf(): Promise<Map<string, { pattern: RegExp; file: string }>> {
  const found = new Map<string, { pattern: RegExp; file: string }>()
  for (const file of FILES) {
    const text = readFileSync(`${ROOT}/${file}`, 'utf8')
    for (const pattern of literalsOf(parseSync(file, text).program)) {
      found.set(String(pattern), { pattern, file })
    }
    if (!text.includes('new RegExp(')) continue
    for (const pattern of await builtBy(file)) found.set(String(pattern), { pattern, file })
  }
  return found
}

function literalsOf(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return []
  const { regex } = node as { regex?: { pattern: string; flags: string } }
  if (regex) return [new RegExp(regex.pattern, regex.flags)]
  return Object.values(node).flatMap(literalsOf)
}

/** Returns the patterns that a file builds while it loads. */
async function builtBy(file: string): Promise<RegExp[]> {
  const built: RegExp[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = class extends Original {
    constructor(pattern: string | RegExp, flags?: string) {
      super(pattern, flags)
      built.push(new Original(pattern, flags))
    }
  } as RegExpConstructor
  try {
    // Another test of this worker may have loaded it, so it is loaded anew, under another address.
    await import(/* @vite-ignore */ `${ROOT}/${file}?anew`)
  } finally {
    globalThis.RegExp = Original
  }
  return built
}

/** Returns texts to repeat that may make a pattern backtrack: its own characters and words. */
function pumpsOf({ source }: RegExp): string[] {
  const words = source.match(/[a-z]{2,}_?/gi) ?? []
  const characters = new Set((source.replace(/\\./g, '') + ORDINARY).split(''))
  const repeated = [...characters, ...words, ...words.map((word) => `${word} `)]
  const mixed = [
    '0 ',
    '4242 ',
    '4242-',
    '0.',
    'a.',
    'a-',
    'a@',
    '1;',
    'AB12 ',
    '\\n',
    '\\u0020',
    ' ,',
  ]
  return [...repeated, ...mixed]
}

const ORDINARY = 'aA04 -_.,;:/"\\\n\t='
const BEGINNINGS = ['', 'a', '4', 'T', 'basic ', 'sk_', '"']
const patterns = await patternsOf()

/** The analysis of a pattern: `safe` is a proof, `unknown` a pattern that it cannot read or a timeout. */
const analyse = ({ source, flags }: RegExp) =>
  checkSync(source, flags, { checker: 'automaton', timeout: 3000 }).status

const analyses = new Map(
  [...patterns].map(([text, { pattern }]) => [text, analyse(pattern)] as const),
)
const measured = [...patterns].filter(([text]) => isDeep || analyses.get(text) !== 'safe')

describe('every pattern of the server', () => {
  it('is found', () => {
    expect(patterns.size).toBeGreaterThan(150)
  })

  it.each([...analyses])('%s takes linear time by analysis', (_text, status) => {
    expect(status).not.toBe('vulnerable')
  })

  it.each(measured)('%s takes linear time by measurement', (_text, { pattern }) => {
    const slow = pumpsOf(pattern).flatMap((pump) =>
      BEGINNINGS.filter((beginning) => {
        const textOf = (length: number) =>
          `${beginning}${pump.repeat(Math.ceil(length / pump.length))}\u0001`
        return !growsLinearly((length) => {
          const text = textOf(length)
          return () => text.replace(pattern, '')
        }, 1000)
      }).map((beginning) => JSON.stringify(beginning + pump)),
    )
    expect(slow).toEqual([])
  })
})

it.each([/0+$/, /T.* \d\d:\d\d$/, /^(a+)+$/, /\s*;\s*$/])(
  'finds that %s is quadratic',
  (pattern) => {
    const { status } = checkSync(pattern.source, '', { checker: 'automaton', timeout: 30_000 })
    expect(status).toBe('vulnerable')
  },
)
