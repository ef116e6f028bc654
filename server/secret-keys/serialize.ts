import type { SecretKey } from '../../shared/schemas/secret-key.ts'
import { allowedAddressesOf } from './allowed-addresses.ts'
import type { SecretKeyRow } from './store.ts'

/** Leaves out the hash; the secret itself is not stored. */
export function serializeSecretKey(row: SecretKeyRow): SecretKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes === null ? null : row.scopes.split(' '),
    created: row.created,
    created_session: row.created_session,
    last_used: row.last_used,
    expires: row.expires,
    allowed_addresses: allowedAddressesOf(row),
    revoked: row.revoked,
  }
}
