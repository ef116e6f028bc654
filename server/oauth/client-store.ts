import type { ClientRow } from '../db/tables/oauth.ts'
import type { Db, Tx } from '../db/tables.ts'

export async function insertClient(db: Db | Tx, client: ClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(client).execute()
}

/** Finds a client that is not disabled. */
export async function findClient(db: Db | Tx, id: string): Promise<ClientRow | undefined> {
  // Skips the query for other text: PostgreSQL rejects a NUL character.
  if (!/^oc_[\w-]{1,100}$/.test(id)) return undefined
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('disabled', 'is', null)
    .executeTakeFirst()
}

export async function listClients(db: Db): Promise<ClientRow[]> {
  return db.selectFrom('oauth_clients').selectAll().orderBy('created').orderBy('id').execute()
}

/** Returns false for an unknown or disabled client. */
export async function markClientDisabled(tx: Tx, id: string, now: string): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_clients')
    .set({ disabled: now })
    .where('id', '=', id)
    .where('disabled', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
