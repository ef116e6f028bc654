import { formatInstant } from '../../shared/rules/time.ts'
import type { ProcessorChange } from '../../shared/schemas/processor.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalid } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { adapterOf } from '../processors/adapters.ts'
import { readStoredSecret } from './read-stored-secret.ts'
import { checkKey } from './ask-processor.ts'
import { auditChange, type ConnectionDeps, recordChange } from './record-change.ts'
import { replacedWebhookSecret } from './rotate-webhook-secret.ts'
import { encryptSecret, keyHint, requireEncryptionKeys, requireKeys } from './secrets.ts'
import { changeSettings, parseStoredSettings } from './settings.ts'
import { type ConnectionRow, getConnection, updateConnection } from './store.ts'
import { deleteEndpoint } from './webhook-endpoint.ts'

interface ChangeOptions {
  change: ProcessorChange
  /** Id of the caller's session. */
  actorSession: string
  /** The version in `If-Match`. */
  ifMatch: number | undefined
}

/**
 * Changes the given keys and settings. The account stays: saved methods and refunds belong to it. A key
 * that the processor accepts makes a broken connection active. Throws an ApiError and stores nothing
 * when the processor does not accept the key.
 */
export async function changeConnection(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id' | 'mode'>,
  id: string,
  options: ChangeOptions,
): Promise<ConnectionRow> {
  return retryOnConflict('Processor', () => changeOnce(deps, instance, id, options))
}

async function changeOnce(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id' | 'mode'>,
  id: string,
  { change, actorSession, ifMatch }: ChangeOptions,
): Promise<ConnectionRow | undefined> {
  const stored = await getConnection(deps.db, instance.id, id)
  expectVersion('Processor', stored, ifMatch)
  requireKeys(stored.name, change, instance.mode)
  const settings = change.settings
    ? changeSettings(stored.name, parseStoredSettings(stored), change.settings)
    : parseStoredSettings(stored)
  const columns = {
    ...(change.publishable_key !== undefined && { publishable_key: change.publishable_key }),
    ...(change.settings && { settings: JSON.stringify(settings) }),
    ...(await acceptedKey(deps, stored, change.secret_key, settings)),
    ...(change.webhook_secret !== undefined &&
      replacedWebhookSecret(deps, stored, { secret: change.webhook_secret, endpoint: null })),
  }
  const names = Object.keys(columns) as (keyof typeof columns)[]
  if (names.every((name) => columns[name] === stored[name])) return stored
  const updated = { updated: formatInstant(deps.now()), updated_session: actorSession }
  const row = { ...stored, ...columns, ...updated, v: stored.v + 1 }
  const isChanged = await inTransaction(deps.db, async (tx) => {
    if (!(await updateConnection(tx, stored, { ...columns, ...updated }))) return false
    await recordChange(deps, tx, 'processor.updated', row)
    await auditChange(deps, tx, row, {
      action: 'processor.changed',
      detail: { members: Object.keys(change) },
    })
    return true
  })
  if (!isChanged) return undefined
  if (stored.webhook_endpoint !== null && row.webhook_endpoint === null) {
    const secretKey = readStoredSecret(deps.config, row, 'secret_key')
    const asked = { id, name: row.name, secretKey, settings }
    await deleteEndpoint(deps, asked, stored.webhook_endpoint)
  }
  return row
}

/** Returns the columns of a new key, and throws a 400 ApiError unless it is of the same account. */
async function acceptedKey(
  deps: ConnectionDeps,
  stored: ConnectionRow,
  given: string | undefined,
  settings: object,
): Promise<Partial<ConnectionRow>> {
  const { name } = stored
  const { paidAccount, title } = adapterOf(name)
  const paysElsewhere = paidAccount(settings) !== paidAccount(parseStoredSettings(stored))
  if (given === undefined && !paysElsewhere) return {}
  const secretKey = given ?? readStoredSecret(deps.config, stored, 'secret_key')
  const keys = requireEncryptionKeys(deps.config)
  const checked = await checkKey(deps, { name, secretKey, settings })
  const member = given === undefined ? 'processor.settings' : 'processor.secret_key'
  if (!checked.accepted) throw invalid(member, checked.rule)
  if (stored.account !== null && checked.account !== stored.account) {
    const rule = `is of another account at ${title} than ${stored.account}; connect that one as another processor`
    throw invalid(member, rule)
  }
  return {
    ...(given !== undefined && {
      secret_key: encryptSecret(keys, stored, 'secret_key', given),
      key_hint: keyHint(given),
    }),
    account: checked.account,
    failures: 0,
    ...(stored.status === 'BROKEN' && { status: 'ACTIVE' }),
  }
}
