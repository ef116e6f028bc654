import type { Selectable } from 'kysely'

/** OAuth clients of the server; they act for any merchant that consents. */
export interface OauthClientsTable {
  id: string
  name: string
  /** SHA-256, hex; null for a public client. */
  secret_hash: string | null
  /** JSON array; compared byte by byte. */
  redirect_urls: string
  /** Separated by spaces, in every `scopes` column. */
  scopes: string
  require_pkce: number
  created: string
  disabled: string | null
}

export type ClientRow = Selectable<OauthClientsTable>

/** A user's consent for a client and an instance. Every code and token refers to one. */
export interface OauthGrantsTable {
  id: string
  client_id: string
  instance_id: string
  user_id: string
  scopes: string
  created: string
  revoked: string | null
  /** Accurate to about a minute; null if never, or before it was recorded. */
  last_used: string | null
}

export type GrantRow = Selectable<OauthGrantsTable>

export interface OauthCodesTable {
  /** SHA-256 of the code, hex. */
  hash: string
  grant_id: string
  /** The grant's client, so that one statement checks and uses a code. */
  client_id: string
  redirect_url: string
  /** PKCE `code_challenge` (S256), or null. */
  challenge: string | null
  created: string
  expires: string
  used: string | null
}

export type CodeRow = Selectable<OauthCodesTable>

export interface OauthTokensTable {
  /** SHA-256 of the token, hex. */
  hash: string
  grant_id: string
  kind: 'ACCESS' | 'REFRESH'
  scopes: string
  created: string
  expires: string
  /** When a public client's refresh token was rotated or superseded. */
  used: string | null
  /** Hash of the public client's refresh token that this one was issued for. */
  parent: string | null
}

export type TokenRow = Selectable<OauthTokensTable>
