import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import { isConsoleApart } from '../http/console-host.ts'
import type { Log } from '../observe/log.ts'
import { listAllConnections } from './store.ts'

/**
 * Warns when processors bring scripts of their own to the payer's page while the console has the same
 * origin. Every adapter does; the sandbox is no connection.
 */
export async function warnOfForeignScript({
  db,
  config,
  log,
}: {
  db: Db
  config: Config
  log: Pick<Log, 'warn'>
}): Promise<void> {
  if (isConsoleApart(config) || (await listAllConnections(db)).length === 0) return
  log.warn(
    'a processor runs its script on the host of the console: set CONSOLE_URL to a host of its own',
  )
}
