import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The hidden field that proves a form came from our page (safety section 1, rule 10). It is bound
 * to a secret that only this browser has, and to what the form is about, so that the approval of
 * one request is no approval of another. A page of somebody else can neither read the cookie nor
 * make the field.
 */
export function createCsrfToken(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

/** Whether a form carried the right field; undefined stands for a missing secret or field. */
export function verifyCsrfToken(
  secret: string | undefined,
  purpose: string,
  given: string | undefined,
): boolean {
  if (!secret || !given) return false
  const [expected, actual] = [createCsrfToken(secret, purpose), given].map((text) =>
    Buffer.from(text),
  )
  if (!expected || !actual || expected.length !== actual.length) return false
  return timingSafeEqual(expected, actual)
}
