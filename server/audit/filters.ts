import { AUDIT_ACTIONS, AUDIT_ACTORS } from '../../shared/rules/audit-actions.ts'
import type { Fields } from '../criteria/fields.ts'

export const AUDIT_FILTERS: Fields = {
  id: { type: 'id', column: 'audit.id', notNull: true },
  at: { type: 'date', column: 'audit.created', notNull: true },
  // The name that every list has.
  created: { type: 'date', column: 'audit.created', notNull: true },
  action: { type: 'enum', column: 'audit.action', notNull: true, values: AUDIT_ACTIONS },
  actor_type: { type: 'enum', column: 'audit.actor_type', notNull: true, values: AUDIT_ACTORS },
  actor: { type: 'id', column: 'audit.actor_id' },
  actor_name: { type: 'text', column: 'audit.actor_name', lower: 'audit.actor_name_lower' },
  about: { type: 'id', column: 'audit.about' },
  ip: { type: 'id', column: 'audit.ip' },
}
