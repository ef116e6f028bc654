import { sql } from 'kysely'
import { ROLES } from '../../shared/rules/roles.ts'
import type { Fields } from '../criteria/fields.ts'

export const USER_FILTERS: Fields = {
  id: { type: 'id', column: 'users.id', notNull: true },
  created: { type: 'date', column: 'users.created', notNull: true },
  email: { type: 'text', column: 'users.email', lower: 'users.email_folded' },
  role: { type: 'enum', column: 'users.role', values: ROLES },
  last_seen: { type: 'date', column: 'users.last_seen' },
  second_factor: {
    type: 'flag',
    column: sql<number>`case when exists (select 1 from user_factors
      where user_factors.user_id = users.id and user_factors.confirmed is not null) then 1 else 0 end`,
  },
  disabled: {
    type: 'flag',
    column: sql<number>`case when users.disabled is null then 0 else 1 end`,
  },
}

export const USER_SESSION_FILTERS: Fields = {
  id: { type: 'id', column: 'user_sessions.id', notNull: true },
  created: { type: 'date', column: 'user_sessions.created', notNull: true },
  user: { type: 'id', column: 'user_sessions.user_id', notNull: true },
  last_seen: { type: 'date', column: 'user_sessions.last_seen' },
  expires: { type: 'date', column: 'user_sessions.expires', notNull: true },
}
