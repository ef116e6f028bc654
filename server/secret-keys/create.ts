import { EVERY_PERMISSION, type Permission } from '../../shared/rules/permissions.ts'
import { permissionsOf } from '../../shared/rules/scopes.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { NewSecretKey } from '../../shared/schemas/secret-key.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidState } from '../errors.ts'
import { parseAllowedAddresses } from './allowed-addresses.ts'
import { futureInstant, requireUsable } from './expiry.ts'
import {
  getSecretKey,
  insertSecretKey,
  lockAndCountKeys,
  type SecretKeyRow,
  updateSecretKey,
} from './store.ts'

const KEYS_MAX = 100
/** How long a key works beside the one that replaces it. */
const OVERLAP_MS = 86_400_000

type KeyDeps = Pick<Deps, 'db' | 'now' | 'realNow'>

/** Who creates a key. */
export interface KeyMaker {
  /** Id of the actor session. */
  session: string
  actor: AuditActor
  /** Undefined for a caller without a restriction. */
  permitted: ReadonlySet<Permission> | undefined
}

/**
 * Creates a key of an instance, and ends the one that it replaces in 24 hours. Returns its row and its
 * secret, which is not stored. Throws a 403 ApiError if the key could do more than its maker.
 */
export async function createSecretKey(
  deps: KeyDeps,
  instance: Pick<Instance, 'id' | 'key' | 'mode'>,
  input: NewSecretKey,
  { session, actor, permitted }: KeyMaker,
): Promise<{ row: SecretKeyRow; secret: string }> {
  const now = deps.realNow()
  const secret = newSecret(`sk_${instance.mode.toLowerCase()}_${instance.key}`)
  const row = await inTransaction(deps.db, async (tx) => {
    if ((await lockAndCountKeys(tx, instance.id, formatInstant(now))) >= KEYS_MAX) {
      throw invalidState(`An instance may have at most ${KEYS_MAX} secret keys in use`)
    }
    const former =
      input.replaces == null ? undefined : await getSecretKey(tx, instance.id, input.replaces)
    const scopes = input.scopes === undefined ? (former?.scopes ?? null) : scopesText(input.scopes)
    requirePermitted(scopes, permitted)
    if (former) {
      requireUsable(former, now)
      const overlap = formatInstant(now + OVERLAP_MS)
      const sooner = former.expires !== null && former.expires < overlap
      if (!sooner) await updateSecretKey(tx, former, { expires: overlap })
    }
    const made = await insertSecretKey(tx, {
      hash: hashSecret(secret),
      instance_id: instance.id,
      secret,
      name: input.name ?? former?.name ?? null,
      scopes,
      expires: futureInstant(input.expires, now) ?? null,
      allowed_addresses:
        input.allowed_addresses === undefined
          ? (former?.allowed_addresses ?? null)
          : parseAllowedAddresses(input.allowed_addresses),
      created: formatInstant(deps.now()),
      created_session: session,
    })
    await recordAudit(tx, {
      at: now,
      by: actor,
      of: { instance: instance.id },
      action: former ? 'secret_key.rotated' : 'secret_key.created',
      about: made.id,
      detail: { scopes: scopes?.split(' ') ?? null, ...(former && { replaces: former.id }) },
    })
    return made
  })
  return { row, secret }
}

function scopesText(scopes: readonly string[] | null): string | null {
  return scopes && [...new Set(scopes)].join(' ')
}

/** A key permits at most what its maker may do; a role could be escaped otherwise. */
function requirePermitted(
  scopes: string | null,
  permitted: ReadonlySet<Permission> | undefined,
): void {
  if (!permitted) return
  const given = scopes === null ? EVERY_PERMISSION : [...(permissionsOf(scopes) ?? [])]
  const lacking = given.find((permission) => !permitted.has(permission))
  if (lacking === undefined) return
  throw new ApiError(
    'FORBIDDEN',
    `secret_key.scopes must not permit ${lacking}, which you may not do yourself`,
    { recordedAs: { event: 'role_refused', limit: lacking } },
  )
}
