/**
 * Returns whether a text could be an email address. Only a delivery can verify one, so this only
 * catches typing errors, on the page and in requests alike.
 */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}

/** Returns an address that its owner recognizes and others cannot use: `a•••@example.com`. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`
}
