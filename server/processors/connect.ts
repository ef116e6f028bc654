import type { Config } from '../config.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import type { Db } from '../db/tables.ts'
import { decrypt } from '../encryption.ts'
import type { FailpointName } from '../failpoint.ts'
import type { Log } from '../observe/log.ts'
import { adapterOf } from './adapters.ts'
import { type KeyConfig, readEncryptionKeys } from './encryption-keys.ts'
import { createJournal } from './journal.ts'
import type { Connect } from './registry.ts'

interface ConnectorDeps {
  db: Db
  config: Config
  log: Log
  /** Epoch milliseconds, real time. */
  now: () => number
  failpoint: (name: FailpointName) => void
  /** Called with whether the processor accepted the key, for each answer that shows it. */
  onAuthentication: (row: ProcessorConnectionRow, accepted: boolean) => Promise<void>
}

/**
 * Returns the function that makes the adapter of a connection. An adapter is loaded only when an
 * instance has connected its processor.
 */
export function createConnector(deps: ConnectorDeps): Connect {
  const { db, config, log, now, failpoint, onAuthentication } = deps
  return async (row) => {
    const adapter = adapterOf(row.name)
    const { create } = await adapter.load()
    const { mode } = await db
      .selectFrom('instances')
      .select('mode')
      .where('id', '=', row.instance_id)
      .executeTakeFirstOrThrow()
    return create({
      id: row.id,
      test: mode === 'TEST',
      publishableKey: row.publishable_key,
      secretKey: readSecret(config, row, 'secret_key') as string,
      webhookSecrets: readWebhookSecrets(config, row, now),
      settings: JSON.parse(row.settings),
      ...adapter.urls(config),
      journal: createJournal(db, row.id, now),
      now,
      log,
      failpoint,
      onAuthentication: (accepted) => onAuthentication(row, accepted),
    })
  }
}

export const SECRET_COLUMNS = ['secret_key', 'webhook_secret', 'previous_webhook_secret'] as const

export type SecretColumn = (typeof SECRET_COLUMNS)[number]

const NO_KEY =
  'cannot be decrypted: CHECKSTAND_ENCRYPTION_KEY is not set, and there is no secret.key beside a SQLite file'

/** What a secret is encrypted for, so that it is useless in another row or column. */
export function secretPurpose(connection: { id: string }, column: SecretColumn): string {
  return `${connection.id}/${column}`
}

/**
 * Returns a secret of a connection in plain text; undefined when it has none. Throws an Error that says
 * why it cannot be decrypted.
 */
export function readSecret(
  config: KeyConfig,
  row: Pick<ProcessorConnectionRow, 'id' | SecretColumn>,
  column: SecretColumn,
): string | undefined {
  const stored = row[column]
  if (stored === null) return undefined
  const keys = readEncryptionKeys(config)
  try {
    if (!keys) throw new Error(NO_KEY)
    return decrypt(keys, stored, secretPurpose(row, column))
  } catch (error) {
    throw new Error(`The ${column} of ${row.id} ${(error as Error).message}`, { cause: error })
  }
}

/** Returns a function for the present secret and, during a rotation, the one before it. */
function readWebhookSecrets(
  config: KeyConfig,
  row: ProcessorConnectionRow,
  now: () => number,
): () => string[] {
  const present = readSecret(config, row, 'webhook_secret')
  const previous = readSecret(config, row, 'previous_webhook_secret')
  const until = row.previous_until === null ? 0 : Date.parse(row.previous_until)
  return () =>
    [present, now() < until ? previous : undefined].filter((secret) => secret !== undefined)
}
