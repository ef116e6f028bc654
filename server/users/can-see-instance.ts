import { fromJson } from '../db/json.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { User } from '../db/tables/users.ts'

/** Returns whether an instance of the user's merchant is enabled and among the user's. */
export function canSeeInstance(
  user: Pick<User, 'instances'>,
  { id, disabled }: Pick<Instance, 'id' | 'disabled'>,
): boolean {
  const own = fromJson<string[]>(user.instances)
  return disabled === null && (own === null || own.includes(id))
}
