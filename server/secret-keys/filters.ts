import type { Fields } from '../criteria/fields.ts'

export const SECRET_KEY_FILTERS: Fields = {
  id: { type: 'id', column: 'secret_keys.id', notNull: true },
  created: { type: 'date', column: 'secret_keys.created', notNull: true },
  last_used: { type: 'date', column: 'secret_keys.last_used' },
  expires: { type: 'date', column: 'secret_keys.expires' },
  revoked: { type: 'date', column: 'secret_keys.revoked' },
}
