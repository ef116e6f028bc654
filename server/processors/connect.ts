import type { Config } from '../config.ts'
import type { ProcessorConnectionRow } from '../db/rows.ts'
import type { Db } from '../db/tables.ts'
import { decrypt } from '../encryption.ts'
import type { FailpointName } from '../failpoint.ts'
import type { Log } from '../observe/log.ts'
import { readEncryptionKeys } from './encryption-keys.ts'
import { createJournal } from './journal.ts'
import type { Connect } from './registry.ts'

interface ConnectorDeps {
  db: Db
  config: Config
  log: Log
  /** Epoch milliseconds, real time. */
  now: () => number
  failpoint: (name: FailpointName) => void
}

/**
 * Returns the function that makes the adapter of a connection. An adapter is loaded only when an
 * instance has connected its processor.
 */
export function createConnector(deps: ConnectorDeps): Connect {
  const { db, config, log, now, failpoint } = deps
  return async (row) => {
    const { createStripe } = await import('./stripe/index.ts')
    const { mode } = await db
      .selectFrom('instances')
      .select('mode')
      .where('id', '=', row.instance_id)
      .executeTakeFirstOrThrow()
    return createStripe({
      id: row.id,
      test: mode === 'TEST',
      publishableKey: row.publishable_key,
      secretKey: readSecret(config, row, 'secret_key') as string,
      webhookSecrets: readWebhookSecrets(config, row, now),
      settings: JSON.parse(row.settings),
      apiUrl: config.stripeApiUrl,
      scriptUrl: config.stripeScriptUrl,
      journal: createJournal(db, row.id, now),
      now,
      log,
      failpoint,
    })
  }
}

export type SecretColumn = 'secret_key' | 'webhook_secret' | 'previous_webhook_secret'

/** What a secret is encrypted for, so that it is useless in another row or column. */
export function secretPurpose(connection: { id: string }, column: SecretColumn): string {
  return `${connection.id}/${column}`
}

function readSecret(
  config: Config,
  row: ProcessorConnectionRow,
  column: SecretColumn,
): string | undefined {
  const stored = row[column]
  if (stored === null) return undefined
  const keys = readEncryptionKeys(config)
  if (!keys) throw new Error('CHECKSTAND_ENCRYPTION_KEY is not set')
  try {
    return decrypt(keys, stored, secretPurpose(row, column))
  } catch (error) {
    throw new Error(`The ${column} of ${row.id} ${(error as Error).message}`, { cause: error })
  }
}

/** Returns a function for the present secret and, during a rotation, the one before it. */
function readWebhookSecrets(
  config: Config,
  row: ProcessorConnectionRow,
  now: () => number,
): () => string[] {
  const present = readSecret(config, row, 'webhook_secret')
  const previous = readSecret(config, row, 'previous_webhook_secret')
  const until = row.previous_until === null ? 0 : Date.parse(row.previous_until)
  return () =>
    [present, now() < until ? previous : undefined].filter((secret) => secret !== undefined)
}
