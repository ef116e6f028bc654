import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * Breaks each import rule once, in a folder that mirrors ours, and sees that it is reported.
 *
 * The linter passes silently over a pattern that it cannot read, such as a regular expression with
 * a lookahead, so a rule that was mistyped would forbid nothing and nobody would know.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LINTER = join(ROOT, 'node_modules/.bin/oxlint')

interface Pattern {
  regex?: string
  message: string
}
interface Override {
  files: string[]
  rules: Record<string, 'off' | 'error' | ['error', { patterns: Pattern[] }]>
}
interface LintConfig {
  options?: object
  overrides: Override[]
}

const CONFIG = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as LintConfig

const patternsOf = ({ rules }: Override): Pattern[] => {
  const rule = rules['no-restricted-imports']
  return Array.isArray(rule) ? rule[1].patterns : []
}
const RULED = CONFIG.overrides.filter((override) => patternsOf(override).length > 0)

/** A later override replaces an earlier one, so the last that names a file rules it. */
const rulerOf = (file: string) =>
  RULED.findLast(({ files }) => files.some((glob) => matchesGlob(file, glob)))

const PURE = 'Rules are pure'
const SCHEMAS = 'Schemas import zod'
const SHARED = 'What page and server share'
const EMBED = 'The embed script'
const NO_SERVER = 'The page may not import the server'
const NO_ZOD = 'zod is 22 kB'
const TYPES_ONLY = 'Types only'
const BROWSER = 'The page runs in a browser'
const DRIVERS = 'Only server/db talks to database drivers'
const LADDER_RULE = 'A resource imports only those to its left'
const ROUTES = "Another resource's routes"
const BUILT_PAGE = 'The server loads the built page'
const SQL_ONLY = 'A store speaks SQL only'
const NO_PROCESSOR = 'A store knows no processor'
const PORT_ONLY = 'A processor knows its port'
const NO_RESOURCE = 'The database layer knows no resource'

/** A file, what it imports, and the beginning of the message; null where the import is legal. */
type Planted = [file: string, specifier: string, message: string | null, kind?: 'type']

const illegal = (file: string, message: string, specifiers: string[]): Planted[] =>
  specifiers.map((specifier) => [file, specifier, message])
const legal = (file: string, specifiers: string[]): Planted[] =>
  specifiers.map((specifier) => [file, specifier, null])

const PAGE = 'widget/page/planted.ts'
const UI = 'widget/ui/planted.tsx'

const BESIDE_THE_SERVER: Planted[] = [
  ...illegal('shared/rules/planted.ts', PURE, [
    'zod',
    'node:fs',
    'fs',
    'preact/hooks',
    '@preact/signals',
    'currency-codes/data',
    '../schemas/common.ts',
    '../page-model.ts',
    '../../server/ids.ts',
    './deep/money.ts',
  ]),
  ...legal('shared/rules/planted.ts', ['./money.ts', 'currency-codes']),
  ...illegal('shared/schemas/planted.ts', SCHEMAS, [
    'hono',
    'node:crypto',
    '@hono/node-server',
    'currency-codes',
    '../page-model.ts',
    '../../server/ids.ts',
    '../../widget/page/form.ts',
  ]),
  ...legal('shared/schemas/planted.ts', ['./common.ts', '../rules/money.ts', 'zod', 'iso-3166']),
  ...illegal('shared/planted.ts', SHARED, [
    'zod',
    'node:fs',
    './schemas/common.ts',
    '../../server/ids.ts',
    '../../widget/page/form.ts',
  ]),
  ...legal('shared/planted.ts', ['./page-model.ts', './rules/money.ts']),
  ...illegal('widget/embed/planted.ts', EMBED, [
    'preact',
    '@preact/signals',
    'zod',
    '../page/form.ts',
    '../../shared/page-model.ts',
    '../../shared/rules/money.ts',
    '../../server/ids.ts',
  ]),
  ...legal('widget/embed/planted.ts', ['./frame.ts', '../../shared/embed-messages.ts']),
  ...[PAGE, UI, 'widget/page/methods/planted.ts'].flatMap((file) => [
    ...illegal(file, NO_SERVER, ['../../server/ids.ts', '../../../server/config.ts']),
    ...illegal(file, NO_ZOD, ['zod']),
    ...illegal(file, TYPES_ONLY, ['../../shared/schemas/checkout.ts']),
    ...illegal(file, BROWSER, ['node:fs', 'hono', 'hono/cors', 'kysely', 'pino', 'pg']),
    ...illegal(file, BROWSER, ['better-sqlite3']),
    ...legal(file, ['preact', '../../shared/rules/money.ts', './form.ts']),
    [file, '../../shared/schemas/account.ts', null, 'type'] as Planted,
  ]),
]

/** From left to right; each may import those before it. */
const LADDER = (
  'actor-sessions events instances accounts payment-methods contracts charges payments ' +
  'payment-links strings checkouts users oauth webhooks console'
).split(' ')

const RESOURCES: Planted[] = LADDER.flatMap((resource, at) =>
  ['planted.ts', 'store.ts'].flatMap((name) => {
    const file = `server/${resource}/${name}`
    const right = LADDER.slice(at + 1)
    const others = LADDER.filter((other) => other !== resource)
    return [
      ...illegal(file, DRIVERS, ['pg', 'better-sqlite3']),
      ...illegal(file, BUILT_PAGE, ['../../widget/page/form.ts']),
      ...illegal(
        file,
        LADDER_RULE,
        right.map((other) => `../${other}/record.ts`),
      ),
      ...illegal(
        file,
        ROUTES,
        others.map((other) => `../${other}/routes.ts`),
      ),
      ...legal(
        file,
        LADDER.slice(0, at).map((other) => `../${other}/record.ts`),
      ),
      ...legal(file, ['./record.ts', '../ids.ts', '../../shared/rules/money.ts', 'kysely']),
      ...(name === 'store.ts'
        ? [
            ...illegal(file, SQL_ONLY, ['hono', 'hono/cors', 'zod', 'zod/mini']),
            ...illegal(file, NO_PROCESSOR, ['../processors/port.ts']),
          ]
        : legal(file, ['hono', 'zod', '../processors/port.ts'])),
    ]
  }),
)

const UNDER_RESOURCES: Planted[] = [
  ...['http', 'auth', 'criteria', 'observe', 'jobs', 'cli', 'outbound', 'limits'].map(
    (folder) => `${folder}/`,
  ),
  '',
].flatMap((folder) => {
  const up = folder === '' ? '' : '../../'
  const file = `server/${folder}planted.ts`
  return [
    ...illegal(file, DRIVERS, ['pg', 'better-sqlite3']),
    ...illegal(file, BUILT_PAGE, [`${up}../widget/page/form.ts`]),
    ...legal(file, ['hono', 'zod', `./${up}ids.ts`]),
  ]
})

const EDGES: Planted[] = [
  ...['server/processors/sandbox/planted.ts', 'server/processors/sandbox/deep/planted.ts'].flatMap(
    (file) => [
      ...illegal(file, DRIVERS, ['pg', 'better-sqlite3']),
      ...illegal(
        file,
        PORT_ONLY,
        ['http', 'db', 'auth', 'jobs', 'outbound', ...LADDER].flatMap((folder) => [
          `../../${folder}/store.ts`,
          `../../../${folder}/store.ts`,
        ]),
      ),
      ...legal(file, ['../port.ts', './ledger.ts', '../../../shared/rules/money.ts', 'kysely']),
    ],
  ),
  ...['server/db/planted.ts', 'server/db/migrations/planted.ts'].flatMap((file) => [
    ...illegal(
      file,
      NO_RESOURCE,
      ['http', 'auth', 'jobs', 'processors', 'outbound', ...LADDER].flatMap((folder) => [
        `../${folder}/store.ts`,
        `../../${folder}/store.ts`,
      ]),
    ),
    ...legal(file, ['pg', 'better-sqlite3', 'kysely', './tables.ts']),
  ]),
  // Tests may look everywhere.
  ...legal('server/payments/planted.test.ts', ['pg', '../checkouts/store.ts']),
  ...legal('server/testing/planted.ts', ['pg', '../checkouts/store.ts']),
]

const PLANTED = [...BESIDE_THE_SERVER, ...RESOURCES, ...UNDER_RESOURCES, ...EDGES]

interface Diagnostic {
  filename: string
  code: string
  help: string
  labels: { span: { line: number } }[]
}

/** `file:line` of each planted import, with the messages that the linter gave there. */
let found: Map<string, string[]>
let folder: string

// One file has all its imports, one a line, so an import is known by its line.
const lines = new Map<string, string[]>()
const places = PLANTED.map(([file, specifier, , kind], at) => {
  const imports = lines.get(file) ?? []
  lines.set(file, imports)
  imports.push(`import ${kind ?? ''} { name${at} } from '${specifier}'`)
  return `${file}:${imports.length}`
})

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'))
  const config = { ...CONFIG, options: { ...CONFIG.options, typeAware: false } }
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
  for (const [file, imports] of lines) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${imports.join('\n')}\n`)
  }
  const run = spawnSync(LINTER, ['-f', 'json', '.'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }
  found = new Map()
  for (const { filename, code, help, labels } of diagnostics) {
    if (!code.includes('no-restricted-imports')) continue
    const place = `${filename}:${labels[0]?.span.line}`
    found.set(place, [...(found.get(place) ?? []), help])
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([...lines.keys()])('%s', (file) => {
  const imports = PLANTED.map((planted, at) => ({ planted, place: places[at] ?? '' })).filter(
    ({ planted }) => planted[0] === file,
  )

  it('is reported for every import that a rule forbids', () => {
    const passed = imports
      .filter(({ planted: [, , message] }) => message !== null)
      .filter(({ planted: [, , message], place }) => {
        const told = found.get(place) ?? []
        return !told.some((help) => help.startsWith(message ?? ''))
      })
    expect(passed.map(({ planted }) => planted)).toEqual([])
  })

  it('is left alone for every import that is legal', () => {
    const reported = imports
      .filter(({ planted: [, , message], place }) => message === null && found.has(place))
      .map(({ planted: [, specifier], place }) => [specifier, found.get(place)])
    expect(reported).toEqual([])
  })
})

describe('the configuration', () => {
  it.each(RULED.map((override): [string, Override] => [override.files.join(' '), override]))(
    'has no rule for %s that is not broken above',
    (_files, override) => {
      const broken = PLANTED.filter(([file]) => rulerOf(file) === override).map((one) => one[2])
      const untried = patternsOf(override)
        .map(({ message }) => message)
        .filter((message) => !broken.some((begin) => begin !== null && message.startsWith(begin)))
      expect(untried).toEqual([])
    },
  )

  it('has no regular expression that the linter would pass over', () => {
    const expressions = RULED.flatMap(patternsOf).flatMap(({ regex }) => regex ?? [])
    expect(expressions.length).toBeGreaterThan(10)
    expect(expressions.filter((regex) => regex.includes('(?'))).toEqual([])
    for (const regex of expressions) expect(() => new RegExp(regex)).not.toThrow()
  })

  it('rules every folder of the server', () => {
    const folders = readdirSync(join(ROOT, 'server'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => (entry.name === 'processors' ? 'processors/one' : entry.name))
    expect(folders).toContain('payments')
    expect(folders.filter((name) => !rulerOf(`server/${name}/planted.ts`))).toEqual([])
  })
})
