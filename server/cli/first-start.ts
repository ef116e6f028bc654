import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'

// The secrets of a first start are the first secret key and the link that creates the first user. They
// are printed at a terminal. Other outputs are logs, so the secrets are written to a private file.

/** Shows a secret and returns its text for the banner. */
export type DisplaySecret = (secret: {
  name: string
  value: string
  /** The command that replaces a lost secret. */
  replaceWith: string
}) => string

export function createSecretDisplay(
  config: Pick<Config, 'databaseUrl' | 'firstStartFile'>,
  isTerminal: boolean,
): DisplaySecret {
  if (isTerminal) return ({ value }) => value
  return ({ name, value, replaceWith }) => {
    const path = firstStartPath(config)
    try {
      appendPrivately(path, `${new Date().toISOString()}  ${name}: ${value}\n`)
      return `written to ${path}, readable by the server's user only`
    } catch (error) {
      // Not fatal: a lost secret can be replaced (D77).
      const reason = error instanceof Error ? error.message : String(error)
      return `not shown: standard output is not a terminal and ${path} cannot be used (${reason}); for another: ${replaceWith}`
    }
  }
}

/** Beside the SQLite database. With PostgreSQL, in the folder of the default SQLite database. */
function firstStartPath({
  databaseUrl,
  firstStartFile,
}: Pick<Config, 'databaseUrl' | 'firstStartFile'>): string {
  if (firstStartFile !== undefined) return resolve(firstStartFile)
  const folder = isPostgres(databaseUrl) ? 'checkstand-data' : dirname(sqlitePath(databaseUrl))
  return resolve(join(folder, 'first-start.txt'))
}

/**
 * Appends a line to a file that only this user can read, and creates it if necessary. Throws an Error
 * for a symbolic link, a hard link, and a file that other users own or can read: an attacker may have
 * created it.
 */
function appendPrivately(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stat = fstatSync(file)
    const isOurs = process.getuid === undefined || stat.uid === process.getuid()
    if (!stat.isFile() || stat.nlink !== 1 || !isOurs || (stat.mode & 0o077) !== 0) {
      throw new Error('it is not a private file of this user')
    }
    writeSync(file, line)
  } finally {
    closeSync(file)
  }
}
