import type { Selectable } from 'kysely'

export interface StringsTable {
  instance_id: string
  /** Empty for strings of the instance itself. */
  branding: string
  language: string
  id: string
  text: string
  created: string
  updated: string
  /** Id of the session of its last change; null before sessions were noted. */
  updated_session: string | null
  /** `hashText` of the shipped text at the last change; null before it was noted. */
  shipped_hash: string | null
}

/** One publication of strings: a request to change some, or to take back another revision. */
export interface StringRevisionsTable {
  id: string
  instance_id: string
  note: string | null
  /** Id of the revision that this one takes back. */
  reverts: string | null
  /** How many strings it changed. */
  changes: number
  /** `strings_version` of the instance after it. */
  version: number
  created_session: string | null
  created: string
}

export type StringRevisionRow = Selectable<StringRevisionsTable>

export interface StringChangesTable {
  revision_id: string
  instance_id: string
  /** Empty for strings of the instance itself. */
  branding: string
  language: string
  id: string
  /** Null for no string. */
  text_before: string | null
  text_after: string | null
  /** `strings_version` of the instance after it. */
  version: number
}

export type StringChangeRow = Selectable<StringChangesTable>

/** What the merchant found right although it is stale. */
export interface StringAcksTable {
  instance_id: string
  /** Empty for strings of the instance itself. */
  branding: string
  language: string
  id: string
  /** The `stale_hash` that was seen. */
  hash: string
  created: string
  created_session: string | null
}

export type StringAckRow = Selectable<StringAcksTable>

export interface BundlesTable {
  /** The beginning of the hash, base64url. */
  key: string
  /** SHA-256 of the canonical JSON of the strings, hex. */
  hash: string
  strings: string
  /** When a session last used it, accurate to an hour. */
  used: string
}
