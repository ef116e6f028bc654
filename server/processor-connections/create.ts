import { formatInstant } from '../../shared/rules/time.ts'
import type { NewProcessor } from '../../shared/schemas/processor.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { adapterOf } from '../processors/adapters.ts'
import { checkKey } from './ask-processor.ts'
import { auditChange, type ConnectionDeps, recordChange } from './record-change.ts'
import { encryptSecret, keyHint, requireEncryptionKeys, requireKeys } from './secrets.ts'
import { changeSettings } from './settings.ts'
import { type ConnectionRow, insertConnection, lockUsedConnections } from './store.ts'
import { createEndpoint, deleteEndpoint } from './webhook-endpoint.ts'

const CONNECTIONS_MAX = 20

interface CreateOptions {
  /** Id of the caller's session. */
  actorSession: string
  /** Reserves the idempotency key of the request. */
  reserve?: (tx: Tx, id: string) => Promise<void>
}

/**
 * Connects an account at a processor, after the processor has accepted its key. Throws an ApiError and
 * stores nothing when it does not.
 */
export async function createConnection(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id' | 'mode'>,
  input: NewProcessor,
  { actorSession, reserve }: CreateOptions,
): Promise<ConnectionRow> {
  const { name, secret_key: secretKey } = input
  const webhookSecret = input.webhook_secret ?? undefined
  requireKeys(name, { ...input, webhook_secret: webhookSecret }, instance.mode)
  const settings = changeSettings(name, {}, input.settings ?? {})
  const keys = requireEncryptionKeys(deps.config)
  const checked = await checkKey(deps, { name, secretKey, settings })
  if (!checked.accepted) throw invalid('processor.secret_key', checked.rule)
  const id = newId('pr', deps.now())
  const asked = { id, name, secretKey, settings }
  await inTransaction(deps.db, (tx) => requireUnused(tx, instance.id, { name, ...checked }))
  const made = webhookSecret === undefined ? await createEndpoint(deps, asked) : undefined
  const secret = made?.secret ?? webhookSecret
  const created = formatInstant(deps.now())
  const row = {
    id,
    instance_id: instance.id,
    name,
    status: 'ACTIVE' as const,
    publishable_key: input.publishable_key,
    secret_key: encryptSecret(keys, { id }, 'secret_key', secretKey),
    key_hint: keyHint(secretKey),
    account: checked.account,
    webhook_endpoint: made?.endpoint ?? null,
    webhook_secret:
      secret === undefined ? null : encryptSecret(keys, { id }, 'webhook_secret', secret),
    previous_webhook_secret: null,
    previous_until: null,
    last_heard: null,
    settings: JSON.stringify(settings),
    failures: 0,
    created_session: actorSession,
    updated_session: actorSession,
    created,
    updated: created,
    v: 1,
  }
  const connection = { ...row, mode: instance.mode }
  try {
    await inTransaction(deps.db, async (tx) => {
      await reserve?.(tx, id)
      await requireUnused(tx, instance.id, { name, ...checked })
      await insertConnection(tx, row)
      await recordChange(deps, tx, 'processor.created', connection)
      await auditChange(deps, tx, connection, {
        action: 'processor.created',
        detail: { name, account: checked.account },
      })
    })
  } catch (error) {
    if (made) await deleteEndpoint(deps, asked, made.endpoint)
    throw error
  }
  return connection
}

/** Throws a 400 ApiError when the instance has connected the account already, or too many. */
async function requireUnused(
  tx: Tx,
  instanceId: string,
  { name, account }: { name: string; account: string },
): Promise<void> {
  const used = await lockUsedConnections(tx, instanceId)
  const same = used.find((other) => other.name === name && other.account === account)
  if (same) {
    throw new ApiError(
      'DUPLICATE',
      `The account ${account} at ${adapterOf(name).title} is connected as ${same.id}; change that one`,
    )
  }
  if (used.length >= CONNECTIONS_MAX) {
    throw invalidState(`An instance may have at most ${CONNECTIONS_MAX} processors`)
  }
}
