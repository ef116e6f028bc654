import type { Config } from '../../config.ts'
import type { Db } from '../../db/tables.ts'
import { isCurrent } from '../../encryption.ts'
import { readEncryptionKeys } from '../../processors/encryption-keys.ts'
import { decryptTotpSecret, encryptTotpSecret } from './totp.ts'

/**
 * Encrypts every secret of an authenticator app with the first encryption key that has been encrypted with
 * another one. Returns how many it was. Throws an Error when one cannot be decrypted.
 */
export async function reencryptTotpSecrets({
  db,
  config,
}: {
  db: Db
  config: Config
}): Promise<number> {
  const keys = readEncryptionKeys(config)
  const rows = await db
    .selectFrom('user_factors')
    .select(['id', 'secret'])
    .where('secret', 'is not', null)
    .execute()
  let changed = 0
  for (const { id, secret } of rows) {
    if (secret === null || (keys && isCurrent(keys, secret))) continue
    const next = encryptTotpSecret(config, id, decryptTotpSecret(config, id, secret))
    const { numUpdatedRows } = await db
      .updateTable('user_factors')
      .set({ secret: next })
      .where('id', '=', id)
      // A secret that was replaced meanwhile has been encrypted with the first key.
      .where('secret', '=', secret)
      .executeTakeFirst()
    changed += Number(numUpdatedRows)
  }
  return changed
}
