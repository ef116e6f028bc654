import { inTransaction } from '../db/transaction.ts'
import type { StringChangeRow } from '../db/tables/strings.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { brandingsOf } from '../instances/brandings.ts'
import { lockInstance } from '../instances/store.ts'
import { stringIdError, stringTextError } from './catalog.ts'
import { type Publication, type Published, writeRevision } from './publish.ts'
import { loadStrings } from './store.ts'

/** A string that keeps its text. `branding` is empty for the instance itself. */
export interface SkippedString {
  id: string
  language: string
  branding: string
  /** The text now; null for no string. */
  text: string | null
  because: 'CHANGED' | 'UNAVAILABLE'
}

export interface Reverted extends Published {
  skipped: SkippedString[]
}

/**
 * Takes back those changes of a revision whose strings still read as it wrote them, in one transaction,
 * as a revision of its own. The caller holds the locks of the brandings.
 */
export async function revertRevision(
  deps: Pick<Deps, 'db' | 'now' | 'realNow'>,
  publication: Publication,
  changes: readonly StringChangeRow[],
): Promise<Reverted> {
  return inTransaction(deps.db, async (tx) => {
    const instance = await lockInstance(tx, publication.instanceId)
    const rows = await loadStrings(tx, instance.id, changes)
    const judged = changes.map((change): Judged => {
      const text = rows.of(change)[change.id] ?? null
      const because = text === change.text_after ? reasonAgainst(instance, change) : 'CHANGED'
      return { change, text, because }
    })
    const taken = judged.filter(({ because }) => because === null).map(({ change }) => change)
    const published = await writeRevision(
      tx,
      instance,
      publication,
      taken.map(({ branding, language, id, text_before: text }) => ({
        branding,
        language,
        id,
        text,
      })),
      deps,
    )
    const skipped = judged.flatMap(({ change: { id, language, branding }, text, because }) =>
      because === null ? [] : [{ id, language, branding, text, because }],
    )
    return { ...published, skipped }
  })
}

interface Judged extends Pick<SkippedString, 'text'> {
  change: StringChangeRow
  /** Null for a change that is taken back. */
  because: SkippedString['because'] | null
}

/** Returns why a text of the past cannot be written today, or null. */
function reasonAgainst(
  instance: Instance,
  { branding, language, id, text_before: text }: StringChangeRow,
): 'UNAVAILABLE' | null {
  const hasBranding = branding === '' || brandingsOf(instance).some(({ key }) => key === branding)
  const isAllowed = text === null || (!stringIdError(id, language) && !stringTextError(id, text))
  return hasBranding && isAllowed ? null : 'UNAVAILABLE'
}

/** Returns the brandings of a revision's changes. */
export function brandingsOfChanges(changes: readonly { branding: string }[]): string[] {
  return [...new Set(changes.map(({ branding }) => branding))]
}
