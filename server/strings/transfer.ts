import { resolveString, type StringScope } from '../../shared/rules/inherit.ts'
import { CHANGES_MAX } from '../../shared/schemas/string-revision.ts'
import type { Db } from '../db/tables.ts'
import { listIds, noteOf, otherFormId, stringIdError, stringTextError } from './catalog.ts'
import { contentError } from './formats/content-error.ts'
import type { FileFormat, FileString, ImportFile } from './formats/format.ts'
import { stringLayers } from './resolve.ts'
import { readScope } from './serialize.ts'
import { findStrings } from './store.ts'
import { normalizeText } from './write.ts'

/** Which strings a file has: the merchant's own, stale ones, or all. */
export type ExportOnly = 'own' | 'stale' | 'all'

/** Returns the strings of a scope for a file. */
export async function exportStrings(
  db: Db,
  instanceId: string,
  scope: StringScope,
  only: ExportOnly,
): Promise<FileString[]> {
  const recordOf = await readScope(db, instanceId, scope)
  const baseOf = await readScope(db, instanceId, { ...scope, language: 'default' })
  return listIds(scope.language)
    .map(recordOf)
    .filter(({ overriding, stale }) => {
      if (only === 'own') return overriding !== undefined
      return only === 'all' || stale === true
    })
    .map(({ id, text, stale }) => {
      const base = baseOf(id).text || baseOf(otherFormId(id) ?? id).text
      return { id, note: noteOf(id), base, text, isStale: stale === true }
    })
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

/** Parses a file in the language of its scope. Throws a 400 ApiError for another form. */
export async function parseFile(
  format: FileFormat,
  content: string,
  language: string,
): Promise<ImportFile> {
  const file = await format.parse(content, language)
  if (file.size > CHANGES_MAX) throw contentError(`must have at most ${CHANGES_MAX} strings`)
  return file
}

function reasonAgainst(id: string, text: string | null, language: string): string | null {
  const idError = stringIdError(id, language)
  if (idError !== null || text === null) return idError
  return stringTextError(id, text)
}
