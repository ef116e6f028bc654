import { invalidState } from '../errors.ts'
import { readSecret } from '../processors/connect.ts'
import type { KeyConfig } from '../processors/encryption-keys.ts'
import type { ConnectionRow } from './store.ts'

/**
 * Returns the secret key of a connection. Throws a 400 ApiError when it cannot be decrypted, which the
 * merchant repairs with the key, and the operator with the encryption key.
 */
export function readStoredSecret(
  config: KeyConfig,
  row: ConnectionRow,
  column: 'secret_key',
): string {
  try {
    // The column is never null.
    return readSecret(config, row, column) as string
  } catch {
    throw invalidState(
      'The stored secret key cannot be decrypted: send secret_key again, or have the operator ' +
        'restore CHECKSTAND_ENCRYPTION_KEY',
    )
  }
}
