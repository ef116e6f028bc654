import type { Strings } from '../../shared/rules/wording.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Bundle } from './bundle.ts'

/** Saves a bundle, or renews when it was last used. */
export async function saveBundle(db: Db | Tx, bundle: Bundle, now: string): Promise<void> {
  await db
    .insertInto('bundles')
    .values({ key: bundle.key, hash: bundle.hash, strings: bundle.json, used: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ used: now }))
    .execute()
}

/** Returns the strings of a bundle, or undefined after it was deleted. */
export async function findBundleStrings(db: Db | Tx, key: string): Promise<Strings | undefined> {
  const row = await db
    .selectFrom('bundles')
    .select('strings')
    .where('key', '=', key)
    .executeTakeFirst()
  return row && (JSON.parse(row.strings) as Strings)
}

/** Deletes the bundles that no session has and on which none was opened since `usedBefore`. */
export async function deleteUnusedBundles(db: Db, usedBefore: string): Promise<void> {
  await db
    .deleteFrom('bundles')
    .where('used', '<', usedBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('checkouts')
            .select('checkouts.id')
            .whereRef('checkouts.bundle', '=', 'bundles.key'),
        ),
      ),
    )
    .execute()
}
