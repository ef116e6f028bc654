/** RFC 7617. A secret key is sent as the username, with an empty password. */
export interface BasicCredentials {
  username: string
  password: string
}

/** Returns undefined for a missing or malformed header. */
export function parseBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  const match = /^basic +([0-9a-z+/]+={0,2})$/i.exec(header ?? '')
  if (!match?.[1]) return undefined
  const bytes = Buffer.from(match[1], 'base64')
  // Rejects non-canonical base64, so that credentials have one spelling.
  if (bytes.toString('base64') !== match[1]) return undefined
  const text = bytes.toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1 || text.includes('\0')) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
