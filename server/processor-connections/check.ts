import { formatInstant } from '../../shared/rules/time.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalidState } from '../errors.ts'
import { checkKey } from './ask-processor.ts'
import { readStoredSecret } from './read-stored-secret.ts'
import { type ConnectionDeps, recordChange } from './record-change.ts'
import { encryptSecret, requireEncryptionKeys } from './secrets.ts'
import { parseStoredSettings } from './settings.ts'
import { type ConnectionRow, getConnection, updateConnection } from './store.ts'
import { createEndpoint } from './webhook-endpoint.ts'

/**
 * Asks the processor whether it accepts the key, and makes a webhook endpoint that is missing. The
 * connection is then active, or broken. Throws a 400 ApiError for a disabled connection and for a key
 * that only lacks the permission to be checked, and a 502 ApiError without a clear answer.
 */
export async function checkConnection(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id'>,
  id: string,
  actorSession: string,
): Promise<ConnectionRow> {
  const read = await getConnection(deps.db, instance.id, id)
  const { name } = read
  if (read.status === 'DISABLED') throw invalidState('The processor is disabled')
  const settings = parseStoredSettings(read)
  const asked = { id, name, settings, secretKey: readStoredSecret(deps.config, read, 'secret_key') }
  const checked = await checkKey(deps, asked)
  const { accepted } = checked
  // Payments may still work, so nothing is known of the key.
  if (!checked.accepted && !checked.isKeyRefused) throw invalidState(`The key ${checked.rule}`)
  const made =
    accepted && read.webhook_secret === null ? await createEndpoint(deps, asked) : undefined
  return retryOnConflict('Processor', async () => {
    const stored = await getConnection(deps.db, instance.id, id)
    // Another key, or another state, was not what was checked.
    if (stored.secret_key !== read.secret_key || stored.status === 'DISABLED') return stored
    const status = accepted ? 'ACTIVE' : 'BROKEN'
    const webhook = made && {
      webhook_endpoint: made.endpoint,
      webhook_secret: encryptSecret(
        requireEncryptionKeys(deps.config),
        stored,
        'webhook_secret',
        made.secret,
      ),
    }
    if (status === stored.status && !webhook) return stored
    const columns = {
      status: status as ConnectionRow['status'],
      ...webhook,
      failures: 0,
      updated: formatInstant(deps.now()),
      updated_session: actorSession,
    }
    const row = { ...stored, ...columns, v: stored.v + 1 }
    return inTransaction(deps.db, async (tx) => {
      if (!(await updateConnection(tx, stored, columns))) return undefined
      const type = accepted ? 'processor.updated' : 'processor.broken'
      await recordChange(deps, tx, type, row)
      return row
    })
  })
}
