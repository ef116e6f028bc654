/**
 * Whether a text could be an email address. Only a mail can tell whether it is one, and what stands
 * before the @ is the business of whoever receives it; so this catches no more than a slip of the
 * finger, on the payer's page and in requests alike.
 */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}
