import type { Permission } from '../../shared/rules/permissions.ts'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { useInstance } from '../address.ts'
import { boot } from '../boot.ts'

/**
 * Returns whether the user may do something in the instance of the screen. The server decides again;
 * this hides what it would refuse.
 */
export function usePermission(needed: Permission): boolean {
  return usePermissions().has(needed)
}

/** Returns all that the user may do in the instance of the screen. */
export function usePermissions(): ReadonlySet<Permission> {
  const { mode } = useInstance()
  return permissionsOfRole(boot.user.role, mode)
}
