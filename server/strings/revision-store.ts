import type { StringScope } from '../../shared/rules/inherit.ts'
import { STRING_REVISION_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { lookup } from '../db/lookup.ts'
import type { StringChangeRow, StringRevisionRow } from '../db/tables/strings.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { newId } from '../ids.ts'
import type { Written } from './write.ts'

/** A revision before its first change. */
export type NewRevision = Omit<StringRevisionRow, 'changes' | 'version'>

/** Returns a revision, which `recordRevision` inserts with its first change. */
export function newRevision(of: {
  instanceId: string
  by: string
  now: number
  note?: string | null | undefined
  reverts?: string
}): NewRevision {
  return {
    id: newId('sr', of.now),
    instance_id: of.instanceId,
    note: of.note || null,
    reverts: of.reverts ?? null,
    created_session: of.by,
    created: formatInstant(of.now),
  }
}

/** How many rows one statement inserts, because databases limit its parameters. */
const ROWS_MAX = 500

/**
 * Records what was written as part of a revision, which may have several parts. Returns the revision, or
 * undefined when nothing was written.
 */
export async function recordRevision(
  tx: Tx,
  revision: NewRevision,
  { changes, version }: Written,
): Promise<StringRevisionRow | undefined> {
  if (version === undefined) return undefined
  const row = await tx
    .insertInto('string_revisions')
    .values({ ...revision, changes: changes.length, version })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        changes: eb('string_revisions.changes', '+', eb.ref('excluded.changes')),
        version,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  const { id: revision_id, instance_id } = revision
  const rows = changes.map(({ branding, language, id, before, text }): StringChangeRow => ({
    revision_id,
    instance_id,
    branding,
    language,
    id,
    text_before: before,
    text_after: text,
    version,
  }))
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    await tx
      .insertInto('string_changes')
      .values(rows.slice(at, at + ROWS_MAX))
      .execute()
  }
  return row
}

/** Throws a 404 ApiError when the instance does not have the revision. */
export const getRevision = lookup(
  'String revision',
  STRING_REVISION_ID,
  (db, instanceId, id): Promise<StringRevisionRow | undefined> =>
    db
      .selectFrom('string_revisions')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** Returns the changes of a revision by branding, language and id. */
export function listChanges(db: Db | Tx, revision: StringRevisionRow): Promise<StringChangeRow[]> {
  return db
    .selectFrom('string_changes')
    .selectAll()
    .where('revision_id', '=', revision.id)
    .where('instance_id', '=', revision.instance_id)
    .orderBy('branding')
    .orderBy('language')
    .orderBy('id')
    .execute()
}

export function listRevisions(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<StringRevisionRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('string_revisions')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

export type LaterChange = Pick<
  StringChangeRow,
  'branding' | 'language' | 'id' | 'text_after' | 'revision_id'
>

/** Returns the last change of each of these strings that was changed after a version. */
export async function findLaterChanges(
  tx: Tx,
  instanceId: string,
  strings: readonly (StringScope & { id: string })[],
  version: number,
): Promise<LaterChange[]> {
  const last = new Map<string, LaterChange>()
  const scopes = Map.groupBy(strings, ({ branding, language }) => `${branding}\n${language}`)
  for (const members of scopes.values()) {
    const [scope] = members
    if (!scope) continue
    const rows = await tx
      .selectFrom('string_changes')
      .select(['branding', 'language', 'id', 'text_after', 'revision_id'])
      .where('instance_id', '=', instanceId)
      .where('branding', '=', scope.branding)
      .where('language', '=', scope.language)
      .where(
        'id',
        'in',
        members.map(({ id }) => id),
      )
      .where('version', '>', version)
      .orderBy('version')
      .execute()
    for (const row of rows) last.set(`${row.branding}\n${row.language}\n${row.id}`, row)
  }
  return [...last.values()]
}
