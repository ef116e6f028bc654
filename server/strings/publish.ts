import type { RevisionChange, StringConflict } from '../../shared/schemas/string-revision.ts'
import type { StringRevisionRow } from '../db/tables/strings.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Instance } from '../db/tables/instances.ts'
import { lockInstance } from '../instances/store.ts'
import { stringTextError } from './catalog.ts'
import { findLaterChanges, newRevision, recordRevision } from './revision-store.ts'
import { parseStrings, requireScope } from './scope.ts'
import { loadStrings } from './store.ts'
import { normalizeText, type TextChange, type Written, writeStrings } from './write.ts'

/** What a publication is for: who writes, and what the history says of it. */
export interface Publication {
  instanceId: string
  /** Id of the caller's session. */
  by: string
  note?: string | null | undefined
  reverts?: string
}

export interface Published {
  /** Undefined if every string was so already. */
  revision: StringRevisionRow | undefined
  /** `strings_version` of the instance afterwards. */
  version: number
}

/**
 * Validates the changes of a request. Throws a 400 ApiError that names the change. `path` is the prefix
 * of the changes in messages.
 */
export function parseChanges(
  instance: Instance,
  items: readonly RevisionChange[],
  path = 'revision.changes.',
): TextChange[] {
  return parseStrings(instance, items, path).map(({ branding, language, id, item }, at) => {
    const { text } = item
    const textError = text === null ? null : stringTextError(id, text)
    if (textError) throw invalid(`${path}${at}.text`, textError)
    return { branding, language, id, text }
  })
}

/**
 * Writes all changes in one transaction and adds a revision to the history. Throws a 409 ApiError that
 * lists the strings that were changed after `baseVersion` to another text than this one. The caller
 * holds the locks of the brandings.
 */
export async function publishChanges(
  deps: Pick<Deps, 'db' | 'now' | 'realNow'>,
  publication: Publication,
  changes: readonly TextChange[],
  baseVersion: number,
): Promise<Published> {
  return inTransaction(deps.db, async (tx) => {
    const instance = await lockInstance(tx, publication.instanceId)
    // A branding may have been deleted, with its strings, while this waited for the lock.
    for (const change of changes) requireScope(instance, change, '')
    const { strings_version: version } = instance
    if (baseVersion > version) {
      throw invalid('revision.base_version', `must be at most the present version, ${version}`)
    }
    await requireNoConflict(tx, instance, changes, baseVersion)
    return writeRevision(tx, instance, publication, changes, deps)
  })
}

/** Writes changes and their revision. The caller has locked the instance. */
export async function writeRevision(
  tx: Tx,
  instance: Instance,
  publication: Publication,
  changes: readonly TextChange[],
  { now: clock, realNow }: Pick<Deps, 'now' | 'realNow'>,
): Promise<Published> {
  const { instanceId, by, reverts } = publication
  const now = clock()
  const written = await writeStrings(tx, { instanceId, by, now }, changes)
  requireReadable(written)
  const revision = await recordRevision(tx, newRevision({ ...publication, now }), written)
  if (revision) {
    await recordAudit(tx, {
      at: realNow(),
      by: { type: 'SESSION', id: by },
      of: { instance: instanceId },
      action: reverts === undefined ? 'strings.published' : 'strings.reverted',
      about: revision.id,
      detail: { changes: revision.changes, ...(reverts !== undefined && { reverts }) },
    })
  }
  return { revision, version: written.version ?? instance.strings_version }
}

async function requireNoConflict(
  tx: Tx,
  { id: instanceId, strings_version: version }: Instance,
  changes: readonly TextChange[],
  baseVersion: number,
): Promise<void> {
  if (baseVersion === version) return
  const later = await findLaterChanges(tx, instanceId, changes, baseVersion)
  if (later.length === 0) return
  const rows = await loadStrings(tx, instanceId, later)
  const wanted = new Map(changes.map((change) => [keyOf(change), change.text]))
  const conflicts = later.flatMap((change): StringConflict[] => {
    const { id, language, branding, revision_id: revision } = change
    const text = rows.of(change)[id] ?? null
    const own = wanted.get(keyOf(change)) ?? null
    // Both want the same.
    if ((own === null ? null : normalizeText(own)) === text) return []
    return [{ id, language, branding: branding || null, text, revision }]
  })
  if (conflicts.length === 0) return
  const message = `Others have changed ${conflicts.length} of these strings since version ${baseVersion}`
  throw new ApiError('CONFLICT', message, { members: { version, conflicts } })
}

function keyOf({ branding, language, id }: Omit<TextChange, 'text'>): string {
  return `${branding}\n${language}\n${id}`
}

/** Limits a revision, because it is read with all of its texts. */
const REVISION_CHARACTERS_MAX = 10_000_000

function requireReadable({ changes }: Written): void {
  const characters = changes.reduce(
    (sum, { before, text }) => sum + (before?.length ?? 0) + (text?.length ?? 0),
    0,
  )
  if (characters > REVISION_CHARACTERS_MAX) {
    throw invalid(
      'revision.changes',
      `must write and replace at most ${REVISION_CHARACTERS_MAX} characters`,
    )
  }
}
