/**
 * Origins that can stand in a header of ours. `URL` also accepts hosts such as `a;b` and `a,b`, and
 * in a Content-Security-Policy the one ends a directive and the other the whole policy. A policy has
 * no form for an IPv6 address.
 */
const PLAIN = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:(?<port>\d{1,5}))?$/

/** Returns whether a text is `scheme://host[:port]` of http or https, in small letters, and no more. */
export function isPlainOrigin(text: string): boolean {
  const match = PLAIN.exec(text)
  return match !== null && Number(match.groups?.['port'] ?? 0) <= 65_535
}

/** Returns the origin of a URL, or null when that is no plain one or the text is no URL. */
export function plainOrigin(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin } = new URL(url)
  return isPlainOrigin(origin) ? origin : null
}
