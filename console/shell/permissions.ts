import type { Permission } from '../../shared/rules/permissions.ts'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { useInstance } from '../address.ts'
import { boot } from '../boot.ts'

/**
 * Returns whether the user may do something in the instance of the screen. The server decides again;
 * this hides what it would refuse.
 */
export function usePermission(needed: Permission): boolean {
  const { mode } = useInstance()
  return permissionsOfRole(boot.user.role, mode).has(needed)
}
