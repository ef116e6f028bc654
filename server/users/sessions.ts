import { getCookie, setCookie } from 'hono/cookie'
import type { User } from '../db/tables/users.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'
import { deleteSession, findSessionUser, lockUnchangedUser, insertSession } from './store.ts'

// The session is a cookie whose value is stored as a hash. On https its name begins with `__Host-`,
// which keeps other hosts of the same domain from setting it. Browsers refuse that prefix on http,
// which only localhost uses.

declare module 'hono' {
  interface ContextVariableMap {
    /** The id of the signed-in user, for the log. */
    signedInUser?: string
  }
}

const SESSION_LIFETIME_MS = 12 * 60 * 60_000

export interface UserSession {
  user: User
  /** The value of the cookie. CSRF tokens are derived from it; it is never shown or stored. */
  secret: string
}

export async function findSession(deps: Deps, c: AppContext): Promise<UserSession | undefined> {
  const secret = getCookie(c, cookieName(deps, 'session'))
  if (!secret) return undefined
  const user = await findSessionUser(deps.db, hashSecret(secret), formatInstant(deps.now()))
  if (!user) return undefined
  c.set('signedInUser', user.id)
  return { user, secret }
}

/**
 * Starts a session under a new secret, which prevents session fixation. Returns false when the
 * password was changed after it was verified: the change ended all sessions and must end this one.
 */
export async function startSession(deps: Deps, c: AppContext, user: User): Promise<boolean> {
  const previous = getCookie(c, cookieName(deps, 'session'))
  const secret = newSecret('us')
  const now = deps.now()
  const isStarted = await inTransaction(deps.db, async (tx) => {
    if (!(await lockUnchangedUser(tx, user))) return false
    if (previous) await deleteSession(tx, hashSecret(previous))
    await insertSession(tx, {
      hash: hashSecret(secret),
      user_id: user.id,
      created: formatInstant(now),
      expires: formatInstant(now + SESSION_LIFETIME_MS),
    })
    return true
  })
  if (!isStarted) return false
  writeCookie(deps, c, { kind: 'session', value: secret, maxAge: SESSION_LIFETIME_MS / 1000 })
  writeCookie(deps, c, { kind: 'visitor', value: '', maxAge: 0 })
  return true
}

/** Deletes the session and its cookie. */
export async function endSession(deps: Deps, c: AppContext, session: UserSession): Promise<void> {
  await deleteSession(deps.db, hashSecret(session.secret))
  writeCookie(deps, c, { kind: 'session', value: '', maxAge: 0 })
}

/** Returns the secret that binds a form to this browser before it has a session. */
export function findPreSession(deps: Deps, c: AppContext): string | undefined {
  return getCookie(c, cookieName(deps, 'visitor')) || undefined
}

/** Like `findPreSession`, and sets the cookie when the browser has none. */
export function ensurePreSession(deps: Deps, c: AppContext): string {
  const existing = findPreSession(deps, c)
  if (existing) return existing
  const value = newSecret('vis')
  writeCookie(deps, c, { kind: 'visitor', value, maxAge: SESSION_LIFETIME_MS / 1000 })
  return value
}

type CookieKind = 'session' | 'visitor'

function cookieName(deps: Deps, kind: CookieKind): string {
  return `${isSecure(deps) ? '__Host-' : ''}checkstand_${kind}`
}

/** `maxAge` is in seconds. */
function writeCookie(
  deps: Deps,
  c: AppContext,
  { kind, value, maxAge }: { kind: CookieKind; value: string; maxAge: number },
): void {
  setCookie(c, cookieName(deps, kind), value, {
    path: '/',
    httpOnly: true,
    secure: isSecure(deps),
    sameSite: 'Lax',
    maxAge,
  })
}

function isSecure({ config }: Deps): boolean {
  return config.baseUrl.startsWith('https:')
}
