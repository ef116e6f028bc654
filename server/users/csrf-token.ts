import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns the CSRF token for a form's hidden field: an HMAC of `purpose`, keyed by a secret from a
 * cookie of this browser. `purpose` identifies what the form submits, so a token that approves one
 * request does not approve another.
 */
export function createCsrfToken(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

/** Returns false for a missing secret or token as well. */
export function verifyCsrfToken(
  secret: string | undefined,
  purpose: string,
  token: string | undefined,
): boolean {
  if (!secret || !token) return false
  const expected = Buffer.from(createCsrfToken(secret, purpose))
  const actual = Buffer.from(token)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
