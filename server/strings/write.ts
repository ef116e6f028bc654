import { resolveString, type StringLayers, type StringScope } from '../../shared/rules/inherit.ts'
import { parseSet } from '../../shared/rules/string-ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { offerLanguage } from './languages.ts'
import { stringLayers } from './resolve.ts'
import { hashText, shippedText } from './shipped.ts'
import { deleteStrings, incrementStringsVersion, loadStrings, upsertStrings } from './store.ts'

/** The new text of one string; null for none. */
export interface TextChange extends StringScope {
  id: string
  text: string | null
}

/** What a write did to one string. The texts are null for no string. */
export interface WrittenChange extends TextChange {
  before: string | null
}

export interface Written {
  /** Empty if every string was so already. */
  changes: WrittenChange[]
  /** `strings_version` of the instance afterwards; undefined without a change. */
  version: number | undefined
}

/**
 * Writes strings of any scopes and records `strings.updated` for each set, language and branding with
 * the ids whose override changed. A text that equals the inherited one removes the override. `changes`
 * name each string once. The caller holds the locks of the brandings and has validated the changes.
 */
export async function writeStrings(
  tx: Tx,
  { instanceId, by, now }: { instanceId: string; by: string; now: number },
  changes: readonly TextChange[],
): Promise<Written> {
  const written = await compareWithRows(tx, instanceId, changes)
  if (written.length === 0) return { changes: [], version: undefined }
  const row = { instance_id: instanceId, updated: formatInstant(now), updated_session: by }
  await upsertStrings(
    tx,
    written.flatMap(({ branding, language, id, text }) => {
      if (text === null) return []
      const shipped_hash = hashText(shippedText(language, id))
      return [{ ...row, created: row.updated, branding, language, id, text, shipped_hash }]
    }),
  )
  const scopes = [...Map.groupBy(written, ({ branding, language }) => `${branding}\n${language}`)]
  for (const [, [first, ...more]] of scopes) {
    if (!first) continue
    const removed = [first, ...more].filter(({ text }) => text === null).map(({ id }) => id)
    await deleteStrings(tx, instanceId, first, removed)
  }
  for (const language of new Set(written.map((each) => each.language))) {
    if (language !== 'default') await offerLanguage(tx, instanceId, language, now)
  }
  const version = await incrementStringsVersion(tx, instanceId)
  for (const [, members] of scopes) {
    for (const [, [first, ...more]] of Map.groupBy(members, ({ id }) => parseSet(id))) {
      if (!first) continue
      const { language, branding } = first
      const ids = [first, ...more].map(({ id }) => id)
      const strings = { language, branding: branding || null, ids }
      await recordEvent(tx, { instanceId, type: 'strings.updated', data: { strings }, now })
    }
  }
  return { changes: written, version }
}

/** Returns the changes that change something, as they are to be written. */
async function compareWithRows(
  tx: Tx,
  instanceId: string,
  changes: readonly TextChange[],
): Promise<WrittenChange[]> {
  // PostgreSQL knows no empty list.
  if (changes.length === 0) return []
  const rows = await loadStrings(tx, instanceId, changes)
  const scopes = new Map<string, { own: Record<string, string>; layers: StringLayers }>()
  const open = (scope: StringScope) => {
    const key = `${scope.branding}\n${scope.language}`
    const opened = scopes.get(key) ?? {
      own: rows.of(scope),
      // The layers hold the rows themselves, so that they see what was written before.
      layers: stringLayers(scope, rows.of),
    }
    scopes.set(key, opened)
    return opened
  }
  return changes.toSorted(byInheritance).flatMap((change) => {
    const { own, layers } = open(change)
    const { id, branding, language } = change
    const inherited = normalizeText(resolveString(layers, id)?.inherited ?? '')
    const wanted = change.text === null ? null : normalizeText(change.text)
    // Compared with the inherited text, not the current one: a repeated override must not remove it.
    const text = wanted === inherited ? null : wanted
    const before = own[id] ?? null
    if (text === before) return []
    if (text === null) delete own[id]
    else own[id] = text
    return [{ branding, language, id, before, text }]
  })
}

/** What others inherit from comes first: base strings, the instance's own, and the form `other`. */
function byInheritance(a: TextChange, b: TextChange): number {
  const rank = ({ language, branding, id }: TextChange) =>
    (language === 'default' ? 0 : 4) + (branding === '' ? 0 : 2) + (id.endsWith('_other') ? 0 : 1)
  return rank(a) - rank(b)
}

/** Normalizes Unicode and line ends, so that equal texts compare equal. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n')
}
