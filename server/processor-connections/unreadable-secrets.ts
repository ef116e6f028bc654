import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../observe/log.ts'
import { readSecret, SECRET_COLUMNS } from '../processors/connect.ts'
import type { KeyConfig } from '../processors/encryption-keys.ts'
import { type ConnectionRow, listAllConnections } from './store.ts'

/** Returns why the secrets of a connection cannot be decrypted; undefined when they can. */
export function secretsProblem(config: KeyConfig, row: ConnectionRow): string | undefined {
  try {
    for (const column of SECRET_COLUMNS) readSecret(config, row, column)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Logs every connection that cannot be used because its secrets cannot be decrypted. The server works
 * without it.
 */
export async function logUnreadableSecrets({
  db,
  config,
  log,
}: {
  db: Db
  config: Config
  log: Pick<Log, 'error'>
}): Promise<void> {
  for (const row of await listAllConnections(db)) {
    const problem = secretsProblem(config, row)
    if (problem !== undefined) {
      log.error({ processor: row.id, error: problem }, 'a processor cannot be used')
    }
  }
}
