import type { User } from '../db/tables/users.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { clientInfo, userActor } from '../actor-sessions/caller.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'
import { newId } from '../ids.ts'
import { readCookie, writeCookie } from './cookies.ts'
import {
  deleteSession,
  findSessionUser,
  insertSession,
  lockUnchangedUser,
  touchSession,
  updateAuthentication,
} from './store.ts'

// The session is a cookie whose value is stored as a hash.

declare module 'hono' {
  interface ContextVariableMap {
    /** The id of the signed-in user, for the log. */
    signedInUser?: string
  }
}

export const SESSION_LIFETIME_MS = 12 * 60 * 60_000
const TOUCH_INTERVAL_MS = 60_000

/** How a user proves who they are. A passkey counts as both factors, because it verifies its user. */
export type SessionFactor = 'PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY'

export interface UserSession {
  id: string
  user: User
  /** The value of the cookie. CSRF tokens are derived from it; it is never shown or stored. */
  secret: string
  factors: readonly SessionFactor[]
  /** The network address of the request. */
  ip: string | undefined
  /** When the user last proved who they are, in epoch milliseconds. */
  authenticated: number
}

/** Returns undefined without a session, and for one that has expired or was idle for too long. */
export async function findSession(deps: Deps, c: AppContext): Promise<UserSession | undefined> {
  const secret = readCookie(deps, c, 'session')
  if (secret === undefined) return undefined
  const hash = hashSecret(secret)
  const now = deps.now()
  const found = await findSessionUser(deps.db, hash, {
    now: formatInstant(now),
    seenAfter: formatInstant(now - deps.config.consoleIdleMs),
  })
  if (!found) return undefined
  const { session, user } = found
  await recordUse(deps, hash, { lastSeen: session.last_seen, now })
  c.set('signedInUser', user.id)
  return {
    id: session.id,
    user,
    secret,
    ip: clientInfo(c).ip,
    factors: (session.factors ?? 'PASSWORD').split(' ') as SessionFactor[],
    authenticated: parseInstant(session.authenticated ?? session.created) ?? 0,
  }
}

/** Records the last use of a session, at most once a minute. */
async function recordUse(
  deps: Deps,
  hash: string,
  { lastSeen, now }: { lastSeen: string | null; now: number },
): Promise<void> {
  if (lastSeen !== null && lastSeen > formatInstant(now - TOUCH_INTERVAL_MS)) return
  try {
    await inTransaction(deps.db, (tx) => touchSession(tx, hash, formatInstant(now)))
  } catch (error) {
    // The request itself may still succeed.
    deps.log.warn({ err: error }, 'the use of a session was not recorded')
  }
}

/**
 * Starts a session under a new secret, which prevents session fixation. Returns false when the
 * password was changed after it was verified: the change ended all sessions and must end this one.
 */
export async function startSession(
  deps: Deps,
  c: AppContext,
  user: User,
  factors: readonly SessionFactor[],
): Promise<boolean> {
  const previous = readCookie(deps, c, 'session')
  const secret = newSecret('us')
  const now = deps.now()
  const { ip = null, userAgent = null } = clientInfo(c)
  const isStarted = await inTransaction(deps.db, async (tx) => {
    if (!(await lockUnchangedUser(tx, user))) return false
    if (previous !== undefined) await deleteSession(tx, hashSecret(previous))
    await insertSession(tx, {
      id: newId('uss', now),
      hash: hashSecret(secret),
      user_id: user.id,
      created: formatInstant(now),
      expires: formatInstant(now + SESSION_LIFETIME_MS),
      last_seen: formatInstant(now),
      authenticated: formatInstant(now),
      factors: factors.join(' '),
      ip,
      user_agent: userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    })
    await recordAudit(tx, {
      at: now,
      by: userActor(c, user),
      of: user,
      action: 'sign_in.succeeded',
      about: user.id,
      detail: { factors },
    })
    return true
  })
  if (!isStarted) return false
  writeCookie(deps, c, { kind: 'session', value: secret, maxAge: SESSION_LIFETIME_MS / 1000 })
  writeCookie(deps, c, { kind: 'visitor', value: '', maxAge: 0 })
  return true
}

const USER_AGENT_LENGTH_MAX = 512

/** Records that the user of a session has just proved who they are, with these factors besides the earlier ones. */
export async function refreshAuthentication(
  deps: Deps,
  { secret, factors }: Pick<UserSession, 'secret' | 'factors'>,
  proved: readonly SessionFactor[],
): Promise<void> {
  const authenticated = formatInstant(deps.now())
  const all = [...new Set([...factors, ...proved])].join(' ')
  await inTransaction(deps.db, (tx) =>
    updateAuthentication(tx, hashSecret(secret), { authenticated, factors: all }),
  )
}

/** Deletes the session and its cookie. */
export async function endSession(deps: Deps, c: AppContext, session: UserSession): Promise<void> {
  await inTransaction(deps.db, (tx) => deleteSession(tx, hashSecret(session.secret)))
  writeCookie(deps, c, { kind: 'session', value: '', maxAge: 0 })
}

/** Returns the secret that binds a form to this browser before it has a session. */
export function findPreSession(deps: Deps, c: AppContext): string | undefined {
  return readCookie(deps, c, 'visitor')
}

/** Like `findPreSession`, and sets the cookie when the browser has none. */
export function ensurePreSession(deps: Deps, c: AppContext): string {
  const existing = findPreSession(deps, c)
  if (existing !== undefined) return existing
  const value = newSecret('vis')
  writeCookie(deps, c, { kind: 'visitor', value, maxAge: SESSION_LIFETIME_MS / 1000 })
  return value
}
