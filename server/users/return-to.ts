const AUTHORIZATION = '/oauth/authorize?'
/** A path of the console with an optional query. It has no `//`, `..` or backslash. */
const CONSOLE = /^\/console(?:\/[\w.~-]+)*(?:\?[^\\#]*)?$/
const LENGTH_MAX = 8000

/**
 * Returns the path to return to after signing in, or undefined unless it is an authorization request
 * to this server or an address of its console. The fixed prefixes rule out an open redirect.
 */
export function parseReturnTo(path: string | undefined): string | undefined {
  if (path === undefined || path.length > LENGTH_MAX) return undefined
  if (!path.startsWith(AUTHORIZATION) && !CONSOLE.test(path)) return undefined
  return /^[\x21-\x7e]+$/.test(path) ? path : undefined
}

/** Returns the path of a page of the sign-in that leads to `returnTo` afterwards. */
export function signInPath(returnTo: string | undefined, page = '/sign-in'): string {
  return returnTo === undefined ? page : `${page}?return=${encodeURIComponent(returnTo)}`
}
