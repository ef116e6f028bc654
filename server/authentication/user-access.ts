import { canSeeInstance } from '../users/can-see-instance.ts'
import type { Permission } from '../../shared/rules/permissions.ts'
import { permissionsOfRole, type Role } from '../../shared/rules/roles.ts'
import type { Actor } from '../actor-sessions/store.ts'
import { fromJson } from '../db/json.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { User } from '../db/tables/users.ts'
import type { Db } from '../db/tables.ts'
import type { ActingUser } from '../http/scopes.ts'
import { findInstance } from '../instances/store.ts'
import { findUserById } from '../users/store.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The role of a user who calls the API. */
    role?: Role
  }
}

export interface UserAccess {
  /** Undefined when the caller has no access to the requested instance. */
  instance: Instance | undefined
  actor: Actor
  actingUser: ActingUser
  permitted: ReadonlySet<Permission>
  role: Role
}

/** Returns what a user may do in the instance with this key. */
export async function accessOfUser(db: Db, user: User, instanceKey: string): Promise<UserAccess> {
  const instance = await findInstance(db, user.merchant_id, instanceKey)
  const visible = instance !== undefined && canSeeInstance(user, instance)
  return {
    instance: visible ? instance : undefined,
    actor: { type: 'USER', user: user.id },
    actingUser: {
      id: user.id,
      instances: fromJson<string[]>(user.instances),
      languages: fromJson<string[]>(user.languages),
    },
    permitted: permissionsOfRole(user.role, instance?.mode ?? 'LIVE'),
    role: user.role,
  }
}

/**
 * Returns whether the caller is a user who may change an instance of the merchant. Secret keys and
 * platforms belong to one instance, and change no other.
 */
export async function mayChangeInstance(
  db: Db,
  { type, user: id }: Actor,
  other: Instance,
): Promise<boolean> {
  const user = type === 'USER' && id !== undefined ? await findUserById(db, id) : undefined
  if (!user || user.merchant_id !== other.merchant_id || !canSeeInstance(user, other)) return false
  return permissionsOfRole(user.role, other.mode).has('instances:write')
}
