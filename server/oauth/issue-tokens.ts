import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/tables.ts'
import { insertToken } from './token-store.ts'

export const CODE_LIFETIME_MS = 15 * 60_000
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600

const DAY_MS = 86_400_000

/** The lifetime of a refresh token, and therefore of a grant. */
export function refreshTokenLifetimeMs(config: Pick<Config, 'oauthRefreshDays'>): number {
  return config.oauthRefreshDays * DAY_MS
}

/** RFC 6749 section 5.1. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
}

/**
 * Issues an access token. `now` is epoch milliseconds; `parent` is the hash of the refresh token that
 * a public client exchanged for it.
 */
export async function issueAccessToken(
  tx: Tx,
  grant: { id: string; scopes: string },
  now: number,
  parent?: string,
): Promise<TokenResponse> {
  const lifetimeMs = ACCESS_TOKEN_LIFETIME_SECONDS * 1000
  const token = await issue(tx, grant, { kind: 'ACCESS', now, lifetimeMs, parent })
  return { access_token: token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_LIFETIME_SECONDS }
}

/** Issues a refresh token. `parent` is the hash of the token that it replaces. */
export function issueRefreshToken(
  tx: Tx,
  grant: { id: string; scopes: string },
  options: { now: number; lifetimeMs: number; parent?: string },
): Promise<string> {
  return issue(tx, grant, { kind: 'REFRESH', ...options })
}

async function issue(
  tx: Tx,
  grant: { id: string; scopes: string },
  options: {
    kind: 'ACCESS' | 'REFRESH'
    now: number
    lifetimeMs: number
    parent?: string | undefined
  },
): Promise<string> {
  const { kind, now, lifetimeMs, parent } = options
  const token = newSecret(kind === 'ACCESS' ? 'at' : 'rt')
  await insertToken(tx, {
    hash: hashSecret(token),
    grant_id: grant.id,
    kind,
    scopes: grant.scopes,
    created: formatInstant(now),
    expires: formatInstant(now + lifetimeMs),
    used: null,
    parent: parent ?? null,
  })
  return token
}
