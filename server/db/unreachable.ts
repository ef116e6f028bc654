/**
 * The database is down, restarting or hanging, or the connection was lost. The statement may or may
 * not have been executed.
 */
export class DatabaseUnreachable extends Error {
  override readonly name: string = 'DatabaseUnreachable'
}

/** Another process holds the write lock of the SQLite file. The transaction was not executed. */
export class DatabaseLocked extends DatabaseUnreachable {
  override readonly name = 'DatabaseLocked'

  constructor(cause: unknown) {
    super('the database is locked by another process', { cause })
  }
}

/** SQLSTATE: connection exceptions, too many connections, operator shutdown. */
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
/** Messages of the driver that have no code. */
const LOST_MESSAGE = /^Connection terminated|not queryable$/

/** Whether a driver's error is about the connection and not about the statement. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return LOST_CODES.has(code) || LOST_STATES.test(code) || LOST_MESSAGE.test(error.message)
}

/** Includes the code, because a failed multi-address connection has no message. */
export function codeAndMessage(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return [code, error.message].filter((part) => part !== '').join(' ')
}

/** Whether another connection holds the lock that a SQLite statement needs. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
