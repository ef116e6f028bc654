import type { Actor } from '../actor-sessions/store.ts'
import type { User } from '../db/tables/users.ts'
import type { Tx } from '../db/tables.ts'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { fromJson } from '../db/json.ts'
import { ApiError } from '../errors.ts'
import { type AppContext, restrictedCaller } from '../http/router.ts'
import { requireOne, type RestrictedCaller } from '../http/scopes.ts'
import { findUserById } from '../users/store.ts'

/** Who sees the users of a merchant. */
export interface Viewer {
  /** The instance of the request, which says whose users they are. */
  instanceId: string
  /** Ids of the instances that they can open; null for all of the merchant. */
  reach: readonly string[] | null
}

/** Who manages the users of a merchant. */
export interface Manager extends Viewer {
  merchantId: string
  /** Undefined for a secret key. */
  userId: string | undefined
  /** For the audit log. */
  actor: Actor
}

/** A secret key opens one instance, so it sees only the users of that instance. */
export function viewerOf(instanceId: string, caller: RestrictedCaller | undefined): Viewer {
  return { instanceId, reach: caller?.user ? caller.user.instances : [instanceId] }
}

/** Returns the manager that a request comes from. */
export function requestManager(c: AppContext): Manager {
  const { id, merchant_id: merchantId } = c.get('instance')
  const caller = restrictedCaller(c)
  return {
    ...viewerOf(id, caller),
    merchantId,
    userId: caller?.user?.id,
    actor: c.get('actor'),
  }
}

/**
 * Returns the manager as they are in this transaction, which has locked the merchant's users: they may
 * have lost their role since the request began. Throws a 403 ApiError then.
 */
export async function currentManager(tx: Tx, manager: Manager): Promise<Manager> {
  if (manager.userId === undefined) return manager
  const user = await findUserById(tx, manager.userId)
  const permitted =
    user?.disabled === null ? permissionsOfRole(user.role, 'LIVE') : new Set<never>()
  requireOne({ permitted, type: 'USER' }, 'users:write')
  return { ...manager, reach: fromJson<string[]>(user?.instances ?? null) }
}

/** Throws a 403 ApiError unless all of `instances` are within the caller's reach; null is all. */
export function requireReach(
  { reach }: Viewer,
  instances: readonly string[] | null,
  message: string,
): void {
  if (reach === null || instances?.every((id) => reach.includes(id))) return
  throw new ApiError('FORBIDDEN', message, { recordedAs: { event: 'role_refused' } })
}

/** Returns who does what to a user, for the audit log. `at` is epoch milliseconds of real time. */
export function auditOf({ actor, merchantId }: Manager, { id }: Pick<User, 'id'>, at: number) {
  return { at, by: actor, of: { merchant_id: merchantId }, about: id }
}
