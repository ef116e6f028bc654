/**
 * Returns whether a text could be an email address. Only a delivery can verify one, so this only
 * catches typing errors, on the page and in requests alike.
 */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}
