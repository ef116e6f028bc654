import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkstand } from '../index.ts'
import type { Printer } from './print.ts'
import { UsageError } from './usage.ts'

export interface StringsOptions {
  /** Where the files are: one a language. */
  dir: string
  /** Languages to pull; those with words of the merchant when undefined. */
  languages: readonly string[] | undefined
  branding: string | undefined
  only: string | undefined
  publish: boolean
  note: string | undefined
}

const FILE = /^(default|[a-z]{2})\.json$/

/** Writes a file for each language: `fr.json`, and `default.json` for the base. */
export async function pullStrings(
  client: Checkstand,
  { dir, languages, branding, only }: StringsOptions,
  print: Printer,
): Promise<void> {
  mkdirSync(dir, { recursive: true })
  const wanted = languages ?? (await ownLanguages(client, branding))
  for (const language of wanted) {
    const content = await exported(client, { language, branding, only })
    writeFileSync(join(dir, `${language}.json`), content)
  }
  print.rows(
    'files',
    wanted.map((language) => ({ language, file: join(dir, `${language}.json`) })),
  )
}

/** Says what files would change, and publishes it with `publish`: all files in one revision. */
export async function pushStrings(
  client: Checkstand,
  options: StringsOptions,
  print: Printer,
): Promise<void> {
  const compared = await compareFiles(client, options)
  const { branding, publish, note } = options
  const changes = compared.flatMap(({ language, changes: own }) =>
    own.map(({ id, before, text }) => ({ language, id, before, text })),
  )
  print.rows('changes', changes)
  refuse(compared)
  const [first] = compared
  if (!publish || changes.length === 0 || !first) {
    if (changes.length > 0) print.line('Nothing is published yet: --publish does it')
    return
  }
  await client.request('POST', '/string_revisions', {
    body: {
      revision: {
        base_version: first.version,
        ...(note !== undefined && { note }),
        changes: changes.map(({ id, language, text }) => ({
          id,
          language,
          text,
          ...(branding !== undefined && { branding }),
        })),
      },
    },
  })
  print.line(`${changes.length} published`)
}

/** Throws an Error for files that the rules refuse, that differ from what is published, or while words are stale. */
export async function checkStrings(
  client: Checkstand,
  options: StringsOptions,
  print: Printer,
): Promise<void> {
  const compared = await compareFiles(client, options)
  refuse(compared)
  const problems: { language: string; problem: string; id: string }[] = []
  for (const { language, changes } of compared) {
    for (const { id } of changes) problems.push({ language, problem: 'differs', id })
    const stale = await exported(client, { language, branding: options.branding, only: 'stale' })
    for (const id of Object.keys(JSON.parse(stale) as object)) {
      problems.push({ language, problem: 'stale', id })
    }
  }
  print.rows('problems', problems)
  if (problems.length > 0) throw new Error(`${problems.length} sentences have to be looked at`)
}

interface Compared {
  language: string
  version: number
  changes: { id: string; before: string; text: string | null }[]
  refused: { id: string; because: string }[]
}

async function compareFiles(
  client: Checkstand,
  { dir, branding }: StringsOptions,
): Promise<Compared[]> {
  const files = readdirSync(dir).filter((name) => FILE.test(name))
  if (files.length === 0) throw new UsageError(`${dir} has no files such as fr.json`)
  const compared: Compared[] = []
  for (const file of files) {
    const language = file.replace('.json', '')
    const content = readFileSync(join(dir, file), 'utf8')
    const string_import = {
      format: 'JSON',
      language,
      content,
      ...(branding !== undefined && { branding }),
    }
    const answer = await client.request<{ string_import: Omit<Compared, 'language'> }>(
      'POST',
      '/string_imports',
      { body: { string_import } },
    )
    compared.push({ ...answer.string_import, language })
  }
  return compared
}

function refuse(compared: readonly Compared[]): void {
  const refused = compared.flatMap(({ language, refused: own }) =>
    own.map(({ id, because }) => `  ${language} ${id}: ${because}`),
  )
  if (refused.length > 0) throw new Error(`The rules refuse these:\n${refused.join('\n')}`)
}

async function exported(
  client: Checkstand,
  query: { language: string; branding: string | undefined; only: string | undefined },
): Promise<string> {
  const answer = await client.request<{ string_export: { content: string } }>(
    'GET',
    '/string_exports',
    { query },
  )
  return answer.string_export.content
}

async function ownLanguages(client: Checkstand, branding: string | undefined): Promise<string[]> {
  const languages = new Set<string>()
  for (let offset = 0; offset < 5000; offset += 1000) {
    const { string_overrides: rows } = await client.request<{
      string_overrides: { language: string; branding: string | null }[]
    }>('GET', '/string_overrides', { query: { limit: 1000, offset: offset || undefined } })
    for (const row of rows) {
      if ((row.branding ?? undefined) === branding) languages.add(row.language)
    }
    if (rows.length < 1000) break
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- Node.js 18 has no toSorted
  return [...languages].sort((one, two) => (one < two ? -1 : 1))
}
