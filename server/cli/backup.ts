import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { copyDatabase } from '../db/sqlite-file.ts'
import { isPostgres, sqlitePath } from '../db/open.ts'
import { usedKeyFile } from '../processors/encryption-keys.ts'
import { assertDatabase } from './database.ts'
import { print } from './output.ts'
import { JSON_OPTION, readOptions, UsageError } from './usage.ts'

const HELP = `npx checkstand backup <file> [--json]

Copies the SQLite database to a new file while servers keep using it. The copy is checked before it
gets its name. The encryption key of the processors' secrets is not in it. On PostgreSQL use pg_dump.`

/** `checkstand backup`. */
export async function backupCommand(args: string[]): Promise<void> {
  const usage = readOptions(args, { help: HELP, options: JSON_OPTION, allowPositionals: true })
  if (!usage) return
  const { values, positionals } = usage
  const [target] = positionals
  if (target === undefined || positionals.length > 1) throw new UsageError(HELP)
  const config = readConfig()
  const { databaseUrl } = config
  if (isPostgres(databaseUrl)) {
    throw new Error('Back up PostgreSQL with pg_dump --format=custom')
  }
  assertDatabase(databaseUrl, { writes: false })
  const file = resolve(target)
  copyDatabase(sqlitePath(databaseUrl), file)
  const keyFile = usedKeyFile(config)
  if (keyFile !== undefined) {
    console.error(
      `The copy holds the keys of processors encrypted. Keep ${keyFile} as well, in another place`,
    )
  } else if (config.encryptionKeys) {
    console.error(
      'The copy holds the keys of processors encrypted. Keep CHECKSTAND_ENCRYPTION_KEY as well, in another place',
    )
  }
  print({ backup: file, bytes: statSync(file).size }, values.json ?? false)
}
