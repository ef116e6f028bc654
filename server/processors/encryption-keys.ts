import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { type EncryptionKeys, parseEncryptionKeys } from '../encryption.ts'

const FILE = 'secret.key'

/**
 * Returns the keys that encrypt the secrets of processors: CHECKSTAND_ENCRYPTION_KEY, else the file
 * `secret.key` beside the SQLite file. Undefined when neither exists. Throws an Error for a file that
 * holds no key.
 */
export function readEncryptionKeys(config: KeyConfig): EncryptionKeys | undefined {
  const path = keyPath(config)
  if (config.encryptionKeys || path === undefined) return config.encryptionKeys
  const text = readIfExists(path)
  if (text === undefined) return undefined
  const keys = parseEncryptionKeys(text)
  if (!keys) throw new Error(`${path} must hold a key of 32 bytes in base64`)
  return keys
}

/**
 * Like `readEncryptionKeys`, but creates the file, readable by its owner only, where there is none.
 * Returns undefined with PostgreSQL, where only the setting is shared by every process.
 */
export function readOrCreateEncryptionKeys(config: KeyConfig): EncryptionKeys | undefined {
  const path = keyPath(config)
  const keys = readEncryptionKeys(config)
  if (keys || path === undefined) return keys
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Another process may have created it. Its key counts then.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readEncryptionKeys(config)
}

/** Returns the path of the key file if it exists and its key is used. */
export function usedKeyFile(config: KeyConfig): string | undefined {
  const path = keyPath(config)
  return config.encryptionKeys || path === undefined || readIfExists(path) === undefined
    ? undefined
    : path
}

export type KeyConfig = Pick<Config, 'encryptionKeys' | 'databaseUrl'>

function keyPath({ databaseUrl }: KeyConfig): string | undefined {
  return isPostgres(databaseUrl) ? undefined : join(dirname(sqlitePath(databaseUrl)), FILE)
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
