import type { Instance } from '../db/tables/instances.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import { encrypt, type EncryptionKeys } from '../encryption.ts'
import { invalid, invalidState } from '../errors.ts'
import type { Keys } from '../processors/adapter.ts'
import { adapterOf } from '../processors/adapters.ts'
import { type SecretColumn, secretPurpose } from '../processors/connect.ts'
import { type KeyConfig, readOrCreateEncryptionKeys } from '../processors/encryption-keys.ts'

/** Throws a 400 ApiError for a key of another form or mode. The message does not repeat it. */
export function requireKeys(name: string, keys: Keys, mode: Instance['mode']): void {
  const problem = adapterOf(name).keysProblem(keys, mode)
  if (problem) throw invalid(`processor.${problem.member}`, problem.rule)
}

/** Returns the keys that encrypt secrets. Throws a 400 ApiError when the server has none. */
export function requireEncryptionKeys(config: KeyConfig): EncryptionKeys {
  const keys = readOrCreateEncryptionKeys(config)
  if (keys) return keys
  throw invalidState(
    'This server cannot keep the keys of processors: its operator must set ' +
      'CHECKSTAND_ENCRYPTION_KEY to the output of `openssl rand -base64 32`',
  )
}

export function encryptSecret(
  keys: EncryptionKeys,
  connection: Pick<ProcessorConnectionRow, 'id'>,
  column: SecretColumn,
  secret: string,
): string {
  return encrypt(keys, secret, secretPurpose(connection, column))
}

/** Returns how people recognize a key: its beginning and end. */
export function keyHint(secretKey: string): string {
  return `${secretKey.slice(0, 3)}…${secretKey.slice(-4)}`
}
