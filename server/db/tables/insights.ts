/** Records that are to be filed, because they were made or changed; see `server/insights/file.ts`. */
export interface InsightChangesTable {
  id: string
  record_id: string
}

/** A table whose rows from before are still to be filed, newest first. */
export interface InsightBackfillsTable {
  source: string
  /** The rows from this id on are filed; `~` is behind all ids. */
  before_id: string
}

export interface TotalsTable {
  instance_id: string
  /** Number of quarters of an hour since the epoch. */
  slot: number
  currency: string
  kind: string
  /** Number of records. */
  n: number
  /** Minor units of the currency. */
  amount: number
}

/** What a record adds to `totals`, so that it is added once. */
export interface FiledTotalsTable {
  record_id: string
  instance_id: string
  slot: number
  currency: string
  kind: string
  amount: number
}

/** The words by which a record is found; see `server/insights/words.ts`. */
export interface SearchWordsTable {
  instance_id: string
  kind: string
  word: string
  record_id: string
}
