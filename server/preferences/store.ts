import {
  DEFAULT_PREFERENCES,
  type Preferences,
  type PreferencesChange,
} from '../../shared/schemas/preferences.ts'
import type { Db, Tx } from '../db/tables.ts'

/** Returns what a user has set, and defaults for the rest. */
export async function readPreferences(db: Db, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('user_preferences')
    .select('preferences')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return withDefaults(row?.preferences ?? '{}')
}

/** Changes the members that are given. Two changes at once both take effect. */
export async function changePreferences(
  tx: Tx,
  userId: string,
  change: PreferencesChange,
  updated: string,
): Promise<Preferences> {
  // The row is locked before it is read.
  const { preferences } = await tx
    .insertInto('user_preferences')
    .values({ user_id: userId, preferences: '{}', updated })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ updated }))
    .returning('preferences')
    .executeTakeFirstOrThrow()
  const next = { ...(JSON.parse(preferences) as Partial<Preferences>), ...change }
  await tx
    .updateTable('user_preferences')
    .set({ preferences: JSON.stringify(next) })
    .where('user_id', '=', userId)
    .execute()
  return withDefaults(JSON.stringify(next))
}

export async function deletePreferences(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_preferences').where('user_id', '=', userId).execute()
}

function withDefaults(json: string): Preferences {
  return { ...DEFAULT_PREFERENCES, ...(JSON.parse(json) as Partial<Preferences>) }
}
