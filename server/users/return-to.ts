const ALLOWED_PREFIX = '/oauth/authorize?'
const LENGTH_MAX = 8000

/**
 * Returns the path to return to after signing in, or undefined unless it is an authorization request
 * to this server. The fixed prefix rules out an open redirect.
 */
export function parseReturnTo(path: string | undefined): string | undefined {
  if (path === undefined || path.length > LENGTH_MAX || !path.startsWith(ALLOWED_PREFIX)) {
    return undefined
  }
  return /^[\x21-\x7e]+$/.test(path) ? path : undefined
}

export function signInPath(returnTo: string | undefined): string {
  return returnTo === undefined ? '/sign-in' : `/sign-in?return=${encodeURIComponent(returnTo)}`
}
