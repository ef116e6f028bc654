/** Where somebody goes after signing in: back to the request that needed it, and nowhere else. */

const RETURNS_TO = '/oauth/authorize?'
const LENGTH_MAX = 8000

/**
 * The path when it is one of ours, else undefined. Only what comes behind a fixed beginning is
 * free, so no spelling of it leads to another host.
 */
export function parseReturnTo(path: string | undefined): string | undefined {
  if (path === undefined || path.length > LENGTH_MAX || !path.startsWith(RETURNS_TO)) {
    return undefined
  }
  return /^[\x21-\x7e]+$/.test(path) ? path : undefined
}

/** The address of the sign-in page that leads back to `path`. */
export function signInPath(path: string | undefined): string {
  return path === undefined ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`
}
