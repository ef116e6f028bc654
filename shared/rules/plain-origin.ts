/**
 * Origins that are safe in a header. `URL` also accepts hosts such as `a;b` and `a,b`, which would
 * end a directive or the whole Content-Security-Policy. A policy cannot contain an IPv6 address.
 */
const PLAIN = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:(?<port>\d{1,5}))?$/

/**
 * Returns whether a text is `scheme://host[:port]` of http or https in lower case and nothing else.
 */
export function isPlainOrigin(text: string): boolean {
  const match = PLAIN.exec(text)
  return match !== null && Number(match.groups?.['port'] ?? 0) <= 65_535
}

/** Returns the origin of a URL; null if it is not a plain origin or the text is not a URL. */
export function plainOrigin(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin } = new URL(url)
  return isPlainOrigin(origin) ? origin : null
}
