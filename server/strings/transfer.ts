import { resolveString, type StringScope } from '../../shared/rules/inherit.ts'
import { CHANGES_MAX } from '../../shared/schemas/string-revision.ts'
import type { Db } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import { listIds, stringIdError, stringTextError } from './catalog.ts'
import { stringLayers } from './resolve.ts'
import { readScope } from './serialize.ts'
import { findStrings } from './store.ts'
import { normalizeText } from './write.ts'

/** Which strings a file has: the merchant's own, stale ones, or all. */
export type ExportOnly = 'own' | 'stale' | 'all'

/** Returns the strings of a scope as the content of a JSON file, by id. */
export async function exportStrings(
  db: Db,
  instanceId: string,
  scope: StringScope,
  only: ExportOnly,
): Promise<string> {
  const recordOf = await readScope(db, instanceId, scope)
  const texts = listIds(scope.language)
    .map(recordOf)
    .filter(({ overriding, stale }) => {
      if (only === 'own') return overriding !== undefined
      return only === 'all' || stale === true
    })
    .map(({ id, text }) => [id, text])
  return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
}

/** What a file would change. */
export interface ImportPreview {
  changes: { id: string; before: string; text: string | null }[]
  /** How many strings already read so. */
  unchanged: number
  refused: { id: string; because: string }[]
}

/** Compares the strings of a file with those of a scope. */
export async function previewImport(
  db: Db,
  instanceId: string,
  scope: StringScope,
  file: ImportFile,
): Promise<ImportPreview> {
  const layers = stringLayers(scope, await findStrings(db, instanceId, scope))
  const preview: ImportPreview = { changes: [], unchanged: 0, refused: [] }
  for (const [id, value] of [...file].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const because = reasonAgainst(id, value, scope.language)
    if (because !== null) {
      preview.refused.push({ id: id.slice(0, 255), because })
      continue
    }
    const resolved = resolveString(layers, id)
    const inherited = resolved?.inherited ?? ''
    const wanted = value === null ? inherited : normalizeText(value)
    const isInherited = wanted === normalizeText(inherited)
    const before = resolved?.text ?? ''
    // An override that reads as the inherited text does is removed by saving it.
    const removes = isInherited && resolved?.overriding !== undefined
    if (removes) preview.changes.push({ id, before, text: null })
    else if (isInherited || wanted === before) preview.unchanged += 1
    else preview.changes.push({ id, before, text: wanted })
  }
  return preview
}

/** The texts of a file by id; null removes an override. */
export type ImportFile = ReadonlyMap<string, string | null>

/** Parses the content of a JSON file. Throws a 400 ApiError for another form. */
export function parseFile(content: string): ImportFile {
  const member = 'string_import.content'
  const parsed = parseJson(content)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalid(member, 'must be a JSON object with a text for each string id')
  }
  const entries = Object.entries(parsed)
  if (entries.length > CHANGES_MAX)
    throw invalid(member, `must have at most ${CHANGES_MAX} strings`)
  return new Map(
    entries.map(([id, text]: [string, unknown]) => {
      if (text !== null && typeof text !== 'string') {
        throw invalid(member, `must have a text or null for ${id.slice(0, 255)}`)
      }
      return [id, text]
    }),
  )
}

function parseJson(content: string): unknown {
  try {
    // Editors of Windows begin a file with a byte order mark.
    return JSON.parse(content.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

function reasonAgainst(id: string, text: string | null, language: string): string | null {
  const idError = stringIdError(id, language)
  if (idError !== null || text === null) return idError
  return stringTextError(id, text)
}
