import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'

interface Keys {
  secret_keys: { hash: string; id: string | null; created: string }
}

/** Secret keys with an id, a name, scopes and an expiry. Existing ones may do everything and never expire. */
export async function up(db: Kysely<Keys>): Promise<void> {
  for (const column of ['id', 'name', 'scopes', 'expires', 'created_session']) {
    await db.schema.alterTable('secret_keys').addColumn(column, 'text').execute()
  }
  const keys = await db.selectFrom('secret_keys').select(['hash', 'created']).execute()
  for (const { hash, created } of keys) {
    await db
      .updateTable('secret_keys')
      .set({ id: idOf(hash, created) })
      .where('hash', '=', hash)
      .execute()
  }
  await db.schema.createIndex('secret_keys_id').unique().on('secret_keys').column('id').execute()
  await db.schema
    .createIndex('secret_keys_instance')
    .on('secret_keys')
    .columns(['instance_id', 'created', 'id'])
    .execute()
}

/** The hash is what a key is found by, so the id tells nothing of it. */
function idOf(hash: string, created: string): string {
  const tail = createHash('sha256').update(`id of ${hash}`).digest('hex').slice(0, 16)
  return `key_${Date.parse(created)}_${tail}`
}
