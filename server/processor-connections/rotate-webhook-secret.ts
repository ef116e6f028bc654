import { formatInstant } from '../../shared/rules/time.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalidState } from '../errors.ts'
import { adapterOf } from '../processors/adapters.ts'
import { readSecret } from '../processors/connect.ts'
import { readStoredSecret } from './read-stored-secret.ts'
import { auditChange, type ConnectionDeps, recordChange } from './record-change.ts'
import { encryptSecret, requireEncryptionKeys, requireKeys } from './secrets.ts'
import { parseStoredSettings } from './settings.ts'
import { type ConnectionRow, getConnection, updateConnection } from './store.ts'
import { createEndpoint, deleteEndpoint } from './webhook-endpoint.ts'
import { webhookUrl } from './webhook-url.ts'

/** How long notifications that are signed with the previous secret are accepted. */
const OVERLAP_MS = 86_400_000

interface RotateOptions {
  /** The new secret, where the merchant made the endpoint. */
  secret: string | undefined
  /** Id of the caller's session. */
  actorSession: string
  /** Reserves the idempotency key of the request. */
  reserve?: (tx: Tx, id: string) => Promise<void>
}

/**
 * Replaces the secret that signs notifications: by the given one, or by that of a new endpoint at the
 * processor. The previous one is accepted for 24 hours more. Throws a 400 ApiError when there is no
 * secret and no endpoint can be made.
 */
export async function rotateWebhookSecret(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id' | 'mode'>,
  id: string,
  { secret, actorSession, reserve }: RotateOptions,
): Promise<ConnectionRow> {
  const { name, ...read } = await getConnection(deps.db, instance.id, id)
  requireKeys(name, { webhook_secret: secret }, instance.mode)
  const settings = parseStoredSettings({ name, ...read })
  const secretKey = readStoredSecret(deps.config, { name, ...read }, 'secret_key')
  const asked = { id, name, secretKey, settings }
  const made = secret === undefined ? await createEndpoint(deps, asked) : undefined
  const next = secret ?? made?.secret
  if (next === undefined) throw invalidState(byHand(deps, { id, name }))
  let replaced: string | null = null
  try {
    const rotated = await retryOnConflict('Processor', async () => {
      const stored = await getConnection(deps.db, instance.id, id)
      const columns = {
        ...replacedWebhookSecret(deps, stored, { secret: next, endpoint: made?.endpoint ?? null }),
        updated: formatInstant(deps.now()),
        updated_session: actorSession,
      }
      const row = { ...stored, ...columns, v: stored.v + 1 }
      const isChanged = await inTransaction(deps.db, async (tx) => {
        await reserve?.(tx, id)
        if (!(await updateConnection(tx, stored, columns))) throw new Changed()
        await recordChange(deps, tx, 'processor.updated', row)
        await auditChange(deps, tx, row, {
          action: 'processor.changed',
          detail: { members: ['webhook_secret'] },
        })
        return true
      }).catch((error: unknown) => {
        if (error instanceof Changed) return false
        throw error
      })
      replaced = stored.webhook_endpoint
      return isChanged ? row : undefined
    })
    if (replaced !== null) await deleteEndpoint(deps, asked, replaced)
    return rotated
  } catch (error) {
    if (made) await deleteEndpoint(deps, asked, made.endpoint)
    throw error
  }
}

/** The connection was changed at the same time: the transaction, with its key, is undone. */
class Changed extends Error {}

/** Returns the columns of another secret, and of the one before it for the time of the overlap. */
export function replacedWebhookSecret(
  { config, realNow }: Pick<ConnectionDeps, 'config' | 'realNow'>,
  stored: ConnectionRow,
  { secret, endpoint }: { secret: string; endpoint: string | null },
): Partial<ProcessorConnectionRow> {
  const keys = requireEncryptionKeys(config)
  const previous = readPrevious(config, stored)
  return {
    webhook_endpoint: endpoint,
    webhook_secret: encryptSecret(keys, stored, 'webhook_secret', secret),
    previous_webhook_secret:
      previous === undefined
        ? null
        : encryptSecret(keys, stored, 'previous_webhook_secret', previous),
    previous_until: previous === undefined ? null : formatInstant(realNow() + OVERLAP_MS),
  }
}

/** A secret that cannot be decrypted any more verifies nothing, and needs no overlap. */
function readPrevious(config: ConnectionDeps['config'], stored: ConnectionRow): string | undefined {
  try {
    return readSecret(config, stored, 'webhook_secret')
  } catch {
    return undefined
  }
}

function byHand({ config }: ConnectionDeps, connection: { id: string; name: string }): string {
  const url = webhookUrl(config.baseUrl, connection)
  const { title, noticeTypes } = adapterOf(connection.name)
  return url === null
    ? `${title} cannot reach this server, whose BASE_URL is an address of this machine`
    : `The webhook endpoint could not be made. At ${title}, make one for ${url} with the events ` +
        `${noticeTypes.join(', ')}, and send its signing secret as processor.webhook_secret`
}
