import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../db/tables.ts'
import type { StringsTable } from '../db/tables/strings.ts'
import type { RowLookup, StringRow } from '../../shared/rules/stale.ts'
import { otherFormId } from './catalog.ts'
import { isShippedChanged } from './shipped.ts'
import type { StringLookup, StringScope } from '../../shared/rules/inherit.ts'

/** Strings of the merchant, by scope. */
export interface LoadedStrings {
  /** The strings of one scope, by id. The same object each time. */
  of: (scope: StringScope) => Record<string, string>
  /** What is known of a stored string besides its text. */
  row: RowLookup
}

/**
 * Reads the merchant's strings of a scope and of the scopes that it inherits from. `ids` limits them
 * to these ids and their `_other` forms.
 */
export async function findStrings(
  db: Db | Tx,
  instanceId: string,
  scope: StringScope,
  ids?: readonly string[],
): Promise<StringLookup> {
  return (await loadScope(db, instanceId, scope, ids)).of
}

/** Like `findStrings`, with what is known of each string. */
export function loadScope(
  db: Db | Tx,
  instanceId: string,
  scope: StringScope,
  ids?: readonly string[],
): Promise<LoadedStrings> {
  return loadScopes(db, instanceId, [scope], ids)
}

/** Like `findStrings`, for strings of several scopes. */
export async function loadStrings(
  db: Db | Tx,
  instanceId: string,
  strings: readonly (StringScope & { id: string })[],
): Promise<LoadedStrings> {
  const ids = strings.map(({ id }) => id)
  return loadScopes(db, instanceId, strings, ids)
}

async function loadScopes(
  db: Db | Tx,
  instanceId: string,
  wanted: readonly StringScope[],
  ids?: readonly string[],
): Promise<LoadedStrings> {
  let query = db
    .selectFrom('strings')
    .select(['branding', 'language', 'id', 'text', 'updated', 'shipped_hash'])
    .where('instance_id', '=', instanceId)
    .where('branding', 'in', [...new Set(['', ...wanted.map(({ branding }) => branding)])])
    .where('language', 'in', [...new Set(['default', ...wanted.map(({ language }) => language)])])
  if (ids) query = query.where('id', 'in', withOtherForms(ids))
  const scopes = new Map<string, Record<string, string>>()
  const of = ({ branding, language }: StringScope) => {
    const key = `${branding}\n${language}`
    const strings = scopes.get(key) ?? {}
    scopes.set(key, strings)
    return strings
  }
  const rows = new Map<string, Pick<StringsTable, 'updated' | 'shipped_hash'>>()
  for (const { branding, language, id, text, ...more } of await query.execute()) {
    of({ branding, language })[id] = text
    rows.set(`${branding}\n${language}\n${id}`, more)
  }
  const row = ({ branding, language }: StringScope, id: string): StringRow | undefined => {
    const found = rows.get(`${branding}\n${language}\n${id}`)
    if (!found) return undefined
    return {
      updated: found.updated,
      shippedChanged: isShippedChanged({ ...found, language, id }),
    }
  }
  return { of, row }
}

function withOtherForms(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => [id, otherFormId(id) ?? id]))]
}

/** How many rows one statement writes, because databases limit its parameters. */
const ROWS_MAX = 500

export async function upsertStrings(
  tx: Tx,
  rows: readonly Insertable<StringsTable>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    await tx
      .insertInto('strings')
      .values(rows.slice(at, at + ROWS_MAX))
      .onConflict((conflict) =>
        conflict.columns(['instance_id', 'branding', 'language', 'id']).doUpdateSet((eb) => ({
          text: eb.ref('excluded.text'),
          updated: eb.ref('excluded.updated'),
          updated_session: eb.ref('excluded.updated_session'),
          shipped_hash: eb.ref('excluded.shipped_hash'),
        })),
      )
      .execute()
  }
}

export async function deleteStrings(
  tx: Tx,
  instanceId: string,
  { branding, language }: StringScope,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .deleteFrom('strings')
    .where('instance_id', '=', instanceId)
    .where('branding', '=', branding)
    .where('language', '=', language)
    .where('id', 'in', ids)
    .execute()
}

/** Returns the languages of an instance's strings, without `default`. */
export async function listStringLanguages(db: Db, instanceId: string): Promise<string[]> {
  return (await listScopes(db, instanceId, 'language')).filter((language) => language !== 'default')
}

/** Returns the keys of the brandings that have strings of their own. */
export async function listStringBrandings(db: Db | Tx, instanceId: string): Promise<string[]> {
  return (await listScopes(db, instanceId, 'branding')).filter((branding) => branding !== '')
}

async function listScopes(db: Db | Tx, instanceId: string, member: keyof StringScope) {
  const rows = await db
    .selectFrom('strings')
    .select(member)
    .distinct()
    .where('instance_id', '=', instanceId)
    .execute()
  return rows.map((row) => row[member])
}

/** Invalidates all caches of the instance's strings. Returns the new version. */
export async function incrementStringsVersion(tx: Tx, instanceId: string): Promise<number> {
  const { strings_version } = await tx
    .updateTable('instances')
    .set({ strings_version: sql<number>`strings_version + 1` })
    .where('id', '=', instanceId)
    .returning('strings_version')
    .executeTakeFirstOrThrow()
  return strings_version
}

export async function deleteBrandingStrings(
  tx: Tx,
  instanceId: string,
  branding: string,
): Promise<void> {
  for (const table of ['strings', 'string_acks'] as const) {
    await tx
      .deleteFrom(table)
      .where('instance_id', '=', instanceId)
      .where('branding', '=', branding)
      .execute()
  }
  await incrementStringsVersion(tx, instanceId)
}
