/**
 * The database could not be asked, or was lost before it answered: it is down, restarts, or hangs.
 * Whether it did what it was asked is unknown.
 */
export class DatabaseUnreachable extends Error {
  override readonly name: string = 'DatabaseUnreachable'
}

/** Another process keeps the write lock of the SQLite file. Nothing of the transaction was done. */
export class DatabaseLocked extends DatabaseUnreachable {
  override readonly name = 'DatabaseLocked'

  constructor(cause: unknown) {
    super('the database is locked by another process', { cause })
  }
}

/** Classes of SQLSTATE: connection failures, no room for a connection, an operator's shutdown. */
const LOST_STATES = /^(08|53300$|57P0)/
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** What the driver says, without a code, of a connection that is no longer there. */
const LOST_WORDS = /^Connection terminated|not queryable$/

/** Whether what a driver threw is about the connection, and not about what was asked. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return LOST_CODES.has(code) || LOST_STATES.test(code) || LOST_WORDS.test(error.message)
}

/** A code before the words: a name that stands for several addresses fails with a code alone. */
export function codeAndMessage(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return [code, error.message].filter((part) => part !== '').join(' ')
}
