import type { Selectable } from 'kysely'
import type { Role } from '../../../shared/rules/roles.ts'

export interface UsersTable {
  id: string
  merchant_id: string
  email: string
  /** Of a removed user their id, so that the email can be invited again. */
  email_folded: string
  name: string | null
  /** argon2id in PHC string format; empty until the user has chosen a password. */
  password_hash: string
  role: Role
  /** JSON array of the ids of the instances that the user can access; null for all of the merchant. */
  instances: string | null
  /** JSON array of the languages whose strings an editor can change; null for all. */
  languages: string | null
  /** Id of the open invitation; an earlier one no longer works. */
  invitation: string | null
  invitation_expires: string | null
  /** The last request of a session, at most a minute old. */
  last_seen: string | null
  created: string
  disabled: string | null
  /** Set together with `disabled`: the row stays for the history. */
  removed: string | null
  v: number
}

export type User = Selectable<UsersTable>

export interface UserSessionsTable {
  id: string
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

/** One-time links: of invitations, and those that create the first user of a server. */
export interface FirstSignInsTable {
  /** SHA-256 of the link's token, hex. */
  hash: string
  created: string
  expires: string
  used: string | null
  /** The invited user; null for the first user of the server. */
  user_id: string | null
}
