import { getCookie, setCookie } from 'hono/cookie'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'

// On https the names begin with `__Host-`, which keeps other hosts of the same domain from setting them.
// Browsers refuse that prefix on http, which only localhost uses.

/** Of a signed-in user, of a browser before that, and between password and second factor. */
type CookieKind = 'session' | 'visitor' | 'code'

export function readCookie(deps: Deps, c: AppContext, kind: CookieKind): string | undefined {
  return getCookie(c, cookieName(deps, kind)) || undefined
}

/** `maxAge` is in seconds. */
export function writeCookie(
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

function cookieName(deps: Deps, kind: CookieKind): string {
  return `${isSecure(deps) ? '__Host-' : ''}checkstand_${kind}`
}

function isSecure({ config }: Deps): boolean {
  return config.consoleUrl.startsWith('https:')
}
