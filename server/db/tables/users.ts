import type { Selectable } from 'kysely'
import type { Role } from '../../../shared/rules/roles.ts'

export interface UsersTable {
  id: string
  merchant_id: string
  email: string
  email_folded: string
  /** argon2id in PHC string format. */
  password_hash: string
  role: Role
  /** JSON array of the ids of the instances that the user can access; null for all of the merchant. */
  instances: string | null
  /** JSON array of the languages whose strings an editor can change; null for all. */
  languages: string | null
  created: string
  disabled: string | null
}

export type User = Selectable<UsersTable>

export interface UserSessionsTable {
  /** SHA-256 of the cookie, hex. */
  hash: string
  user_id: string
  created: string
  expires: string
  /** The last request, at most a minute old; null for sessions from before it was recorded. */
  last_seen: string | null
  /** When the user last proved who they are; null as for `last_seen`. */
  authenticated: string | null
  /** What the user has proved in this session, separated by spaces: `PASSWORD`, `TOTP` and so on. */
  factors: string | null
  ip: string | null
  user_agent: string | null
}

export type UserSession = Selectable<UserSessionsTable>

/** Links that create the first user of a server. */
export interface FirstSignInsTable {
  /** SHA-256 of the link's token, hex. */
  hash: string
  created: string
  expires: string
  used: string | null
}
