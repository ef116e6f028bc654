import type { DeepLinkSessionRow } from '../db/tables/deep-links.ts'
import type { Db, Tx } from '../db/tables.ts'

export async function insertSession(tx: Tx, session: DeepLinkSessionRow): Promise<void> {
  await tx.insertInto('deep_link_sessions').values(session).execute()
}

export async function findSession(
  db: Db | Tx,
  id: string,
): Promise<DeepLinkSessionRow | undefined> {
  return db.selectFrom('deep_link_sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the session of a link that has not ended at `now` (date-time). */
export async function findOpenSession(
  db: Db | Tx,
  deepLinkId: string,
  now: string,
): Promise<DeepLinkSessionRow | undefined> {
  return db
    .selectFrom('deep_link_sessions')
    .selectAll()
    .where('deep_link_id', '=', deepLinkId)
    .where('expires', '>', now)
    .limit(1)
    .executeTakeFirst()
}

export async function updateSession(
  db: Db | Tx,
  id: string,
  change: Pick<DeepLinkSessionRow, 'expires' | 'language'>,
): Promise<void> {
  await db.updateTable('deep_link_sessions').set(change).where('id', '=', id).execute()
}

/** Lists the ids of a link's sessions, those that have ended too. */
export async function listSessionIds(db: Db | Tx, deepLinkId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deep_link_sessions')
    .select('id')
    .where('deep_link_id', '=', deepLinkId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes sessions that ended before a date-time. */
export async function deleteSessions(db: Db, before: string): Promise<void> {
  await db.deleteFrom('deep_link_sessions').where('expires', '<', before).execute()
}
