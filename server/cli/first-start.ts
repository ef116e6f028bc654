import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'

/**
 * Where the secrets of a first start are shown: the first secret key, and the link that makes the
 * first user. At a terminal on it. Anywhere else standard output is a log, which many can read and
 * which is kept, so there they are written to a file for the user of the server alone.
 */

/** Shows one secret, and returns what the banner says in its place. */
export type DisplaySecret = (secret: { name: string; value: string; another: string }) => string

/** `another` of a secret is the command that makes one in its place, should it be lost. */
export function createSecretDisplay(
  config: Pick<Config, 'databaseUrl' | 'firstStartFile'>,
  isTerminal: boolean,
): DisplaySecret {
  if (isTerminal) return ({ value }) => value
  return ({ name, value, another }) => {
    const path = firstStartPath(config)
    try {
      appendPrivately(path, `${new Date().toISOString()}  ${name}: ${value}\n`)
      return `written to ${path}, which only the user of this server can read`
    } catch (error) {
      // The server can do its work without it, and what is lost can be made again.
      const reason = error instanceof Error ? error.message : String(error)
      return `not shown, since this is no terminal and ${path} cannot be used (${reason}); for another: ${another}`
    }
  }
}

/** Beside a SQLite file; with PostgreSQL in the folder where the SQLite file would be. */
function firstStartPath({
  databaseUrl,
  firstStartFile,
}: Pick<Config, 'databaseUrl' | 'firstStartFile'>): string {
  if (firstStartFile !== undefined) return resolve(firstStartFile)
  const folder = isPostgres(databaseUrl) ? 'checkstand-data' : dirname(sqlitePath(databaseUrl))
  return resolve(join(folder, 'first-start.txt'))
}

/**
 * Adds a line to a file that only this user can read, and makes the file where there is none.
 * Throws for a symbolic link, a file with another name elsewhere, and one that others own or read:
 * somebody may have put it there to get to the secret, or to have another file written to.
 */
function appendPrivately(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stat = fstatSync(file)
    const isOurs = process.getuid === undefined || stat.uid === process.getuid()
    if (!stat.isFile() || stat.nlink !== 1 || !isOurs || (stat.mode & 0o077) !== 0) {
      throw new Error('it is no file of this user that nobody else can read')
    }
    writeSync(file, line)
  } finally {
    closeSync(file)
  }
}
