import { sql } from 'kysely'
import type { Db, Tx } from '../db/tables.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import { otherFormId } from './catalog.ts'
import type { StringLookup, StringScope } from '../../shared/rules/inherit.ts'

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
  let query = db
    .selectFrom('strings')
    .select(['branding', 'language', 'id', 'text'])
    .where('instance_id', '=', instanceId)
    .where('branding', 'in', [...new Set(['', scope.branding])])
    .where('language', 'in', [...new Set(['default', scope.language])])
  if (ids) query = query.where('id', 'in', withOtherForms(ids))
  const scopes = new Map<string, Record<string, string>>()
  for (const { branding, language, id, text } of await query.execute()) {
    const key = `${branding}\n${language}`
    const strings = scopes.get(key) ?? {}
    strings[id] = text
    scopes.set(key, strings)
  }
  return ({ branding, language }): Strings | undefined => scopes.get(`${branding}\n${language}`)
}

function withOtherForms(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => [id, otherFormId(id) ?? id]))]
}

export async function upsertString(
  tx: Tx,
  instanceId: string,
  scope: StringScope,
  row: { id: string; text: string; now: string },
): Promise<void> {
  const { id, text, now } = row
  await tx
    .insertInto('strings')
    .values({ instance_id: instanceId, ...scope, id, text, created: now, updated: now })
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'branding', 'language', 'id'])
        .doUpdateSet({ text, updated: now }),
    )
    .execute()
}

export async function deleteString(
  tx: Tx,
  instanceId: string,
  scope: StringScope,
  id: string,
): Promise<void> {
  await tx
    .deleteFrom('strings')
    .where('instance_id', '=', instanceId)
    .where('branding', '=', scope.branding)
    .where('language', '=', scope.language)
    .where('id', '=', id)
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

/** Invalidates all caches of the instance's strings. */
export async function incrementStringsVersion(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .updateTable('instances')
    .set({ strings_version: sql<number>`strings_version + 1` })
    .where('id', '=', instanceId)
    .execute()
}

export async function deleteBrandingStrings(
  tx: Tx,
  instanceId: string,
  branding: string,
): Promise<void> {
  await tx
    .deleteFrom('strings')
    .where('instance_id', '=', instanceId)
    .where('branding', '=', branding)
    .execute()
  await incrementStringsVersion(tx, instanceId)
}
