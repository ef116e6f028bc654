import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { isCurrent } from '../encryption.ts'
import { readSecret, SECRET_COLUMNS } from '../processors/connect.ts'
import { encryptSecret, requireEncryptionKeys } from './secrets.ts'
import { listAllConnections } from './store.ts'

/**
 * Encrypts every secret with the first encryption key that has been encrypted with another one. Returns
 * how many it was. Throws an Error, with nothing changed, when one cannot be decrypted.
 */
export async function reencryptSecrets({
  db,
  config,
}: {
  db: Db
  config: Config
}): Promise<number> {
  const keys = requireEncryptionKeys(config)
  const changes = (await listAllConnections(db)).flatMap((row) =>
    SECRET_COLUMNS.flatMap((column) => {
      const stored = row[column]
      if (stored === null || isCurrent(keys, stored)) return []
      const plain = readSecret(config, row, column) as string
      return [{ id: row.id, column, stored, next: encryptSecret(keys, row, column, plain) }]
    }),
  )
  return inTransaction(db, async (tx) => {
    let changed = 0
    for (const { id, column, stored, next } of changes) {
      const { numUpdatedRows } = await tx
        .updateTable('processor_connections')
        .set({ [column]: next })
        .where('id', '=', id)
        // A secret that was replaced meanwhile has been encrypted with the first key.
        .where(column, '=', stored)
        .executeTakeFirst()
      changed += Number(numUpdatedRows)
    }
    return changed
  })
}
