export interface StringsTable {
  instance_id: string
  /** Empty for strings of the instance itself. */
  branding: string
  language: string
  id: string
  text: string
  created: string
  updated: string
}

export interface BundlesTable {
  /** The beginning of the hash, base64url. */
  key: string
  /** SHA-256 of the canonical JSON of the strings, hex. */
  hash: string
  strings: string
  /** When a session last used it, accurate to an hour. */
  used: string
}
