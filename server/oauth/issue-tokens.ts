import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/tables.ts'
import { insertToken } from './store.ts'

/** How long things live, and how tokens are made (specification: Limits). */

/** Fifteen minutes, to the second. */
export const CODE_LIFETIME_MS = 900_000
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600

const DAY_MS = 86_400_000

/** How long a refresh token lives, and with it what a merchant approves. */
export function refreshTokenLifetimeMs(config: Pick<Config, 'oauthRefreshDays'>): number {
  return config.oauthRefreshDays * DAY_MS
}

/** What every answer of the token endpoint has. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
}

/**
 * A new access token of a grant. `now` is epoch milliseconds; `parent` is the hash of the public
 * client's refresh token that it is issued for.
 */
export async function issueAccessToken(
  tx: Tx,
  grant: { id: string; scopes: string },
  now: number,
  parent?: string,
): Promise<TokenResponse> {
  const livesMs = ACCESS_TOKEN_LIFETIME_SECONDS * 1000
  const token = await issue(tx, grant, { kind: 'ACCESS', now, livesMs, parent })
  return { access_token: token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_LIFETIME_SECONDS }
}

/** A new refresh token of a grant. `parent` is the hash of the one that it replaces. */
export function issueRefreshToken(
  tx: Tx,
  grant: { id: string; scopes: string },
  at: { now: number; livesMs: number; parent?: string },
): Promise<string> {
  return issue(tx, grant, { kind: 'REFRESH', ...at })
}

async function issue(
  tx: Tx,
  grant: { id: string; scopes: string },
  as: {
    kind: 'ACCESS' | 'REFRESH'
    now: number
    livesMs: number
    parent?: string | undefined
  },
): Promise<string> {
  const token = newSecret(as.kind === 'ACCESS' ? 'at' : 'rt')
  await insertToken(tx, {
    hash: hashSecret(token),
    grant_id: grant.id,
    kind: as.kind,
    scopes: grant.scopes,
    created: formatInstant(as.now),
    expires: formatInstant(as.now + as.livesMs),
    used: null,
    parent: as.parent ?? null,
  })
  return token
}
