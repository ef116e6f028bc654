import { getCookie, setCookie } from 'hono/cookie'
import type { User } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'
import { deleteSession, findSessionUser, lockUnchangedUser, insertSession } from './store.ts'

/**
 * Who is signed in, by a cookie whose value is kept here as a hash only (safety row 8).
 *
 * `__Host-` makes the browser take the cookie from this very host over https and nobody else, so
 * that no neighbour under the same domain can plant one. On http there is only localhost, where
 * browsers refuse such a name.
 */

const SESSION_MS = 12 * 60 * 60_000

export interface UserSession {
  user: User
  /** What the cookie holds. Forms are bound to it; it is never shown or stored. */
  secret: string
}

/** The session of a request; undefined when nobody is signed in. */
export async function findSession(deps: Deps, c: AppContext): Promise<UserSession | undefined> {
  const secret = getCookie(c, cookieName(deps, 'session'))
  if (!secret) return undefined
  const user = await findSessionUser(deps.db, hashSecret(secret), formatInstant(deps.now()))
  if (!user) return undefined
  c.set('signedInUser', user.id)
  return { user, secret }
}

/**
 * Signs a user in under a new secret. What the browser brought is forgotten: a secret that somebody
 * else knew beforehand must not become a session. False when the password was changed after it was
 * found right, which has ended all sessions and must end this one too.
 */
export async function startSession(deps: Deps, c: AppContext, user: User): Promise<boolean> {
  const before = getCookie(c, cookieName(deps, 'session'))
  const secret = newSecret('us')
  const now = deps.now()
  const begun = await inTransaction(deps.db, async (tx) => {
    if (!(await lockUnchangedUser(tx, user))) return false
    if (before) await deleteSession(tx, hashSecret(before))
    await insertSession(tx, {
      hash: hashSecret(secret),
      user_id: user.id,
      created: formatInstant(now),
      expires: formatInstant(now + SESSION_MS),
    })
    return true
  })
  if (!begun) return false
  putCookie(deps, c, { name: 'session', value: secret, seconds: SESSION_MS / 1000 })
  putCookie(deps, c, { name: 'visitor', value: '', seconds: 0 })
  return true
}

/** Signs out, here and on the server: the secret opens nothing any more. */
export async function endSession(deps: Deps, c: AppContext, session: UserSession): Promise<void> {
  await deleteSession(deps.db, hashSecret(session.secret))
  putCookie(deps, c, { name: 'session', value: '', seconds: 0 })
}

/** What the browser of somebody who is not signed in holds, to bind a form to it. */
export function findPreSession(deps: Deps, c: AppContext): string | undefined {
  return getCookie(c, cookieName(deps, 'visitor')) || undefined
}

/** The same, given to the browser when it has none. */
export function ensurePreSession(deps: Deps, c: AppContext): string {
  const known = findPreSession(deps, c)
  if (known) return known
  const value = newSecret('vis')
  putCookie(deps, c, { name: 'visitor', value, seconds: SESSION_MS / 1000 })
  return value
}

type CookieKind = 'session' | 'visitor'

function cookieName(deps: Deps, kind: CookieKind): string {
  return `${isSecure(deps) ? '__Host-' : ''}checkstand_${kind}`
}

function putCookie(
  deps: Deps,
  c: AppContext,
  cookie: { name: CookieKind; value: string; seconds: number },
): void {
  setCookie(c, cookieName(deps, cookie.name), cookie.value, {
    path: '/',
    httpOnly: true,
    secure: isSecure(deps),
    sameSite: 'Lax',
    maxAge: cookie.seconds,
  })
}

function isSecure({ config }: Deps): boolean {
  return config.baseUrl.startsWith('https:')
}
