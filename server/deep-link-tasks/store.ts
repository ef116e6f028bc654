import type { DeepLinkRow, DeepLinkSessionRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
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
  tx: Tx,
  deepLinkId: string,
  now: string,
): Promise<DeepLinkSessionRow | undefined> {
  return tx
    .selectFrom('deep_link_sessions')
    .selectAll()
    .where('deep_link_id', '=', deepLinkId)
    .where('expires', '>', now)
    .limit(1)
    .executeTakeFirst()
}

export async function extendSession(db: Db | Tx, id: string, expires: string): Promise<void> {
  await db.updateTable('deep_link_sessions').set({ expires }).where('id', '=', id).execute()
}

/** Ends the open sessions of a link. `now` is a date-time on the real clock. */
export async function endSessions(tx: Tx, deepLinkId: string, now: string): Promise<void> {
  await tx
    .updateTable('deep_link_sessions')
    .set({ expires: now })
    .where('deep_link_id', '=', deepLinkId)
    .where('expires', '>', now)
    .execute()
}

/** Deletes sessions that ended before a date-time. */
export async function deleteSessions(db: Db, before: string): Promise<void> {
  await db.deleteFrom('deep_link_sessions').where('expires', '<', before).execute()
}

export async function findLinkOfSession(
  db: Db | Tx,
  { deep_link_id, instance_id }: Pick<DeepLinkSessionRow, 'deep_link_id' | 'instance_id'>,
): Promise<{ link: DeepLinkRow; instance: Instance }> {
  const link = await db
    .selectFrom('deep_links')
    .selectAll()
    .where('id', '=', deep_link_id)
    .executeTakeFirstOrThrow()
  const instance = await db
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', instance_id)
    .executeTakeFirstOrThrow()
  return { link, instance }
}
