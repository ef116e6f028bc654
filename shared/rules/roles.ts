import { ACCESS_AREAS, AREAS, type Area, type Permission } from './permissions.ts'

/** What the users of a merchant may do. Each user has one role. */
export const ROLES = ['OWNER', 'DEVELOPER', 'SUPPORT', 'EDITOR', 'VIEWER'] as const

export type Role = (typeof ROLES)[number]

/** `test` is the access in test instances only. */
type RoleAccess = 'read' | 'write' | 'test-write'

const EVERY_AREA: readonly Area[] = [...AREAS, ...ACCESS_AREAS]

/** Write includes read here; areas that are missing are not visible. */
const ROLE_ACCESS: Readonly<Record<Role, Partial<Record<Area, RoleAccess>>>> = {
  OWNER: Object.fromEntries(EVERY_AREA.map((area) => [area, 'write'])),
  DEVELOPER: {
    payment_links: 'write',
    payments: 'test-write',
    accounts: 'test-write',
    charges: 'test-write',
    strings: 'write',
    instances: 'write',
    webhooks: 'write',
    processors: 'read',
    reports: 'read',
    keys: 'write',
    grants: 'write',
    brandings: 'write',
  },
  SUPPORT: {
    payment_links: 'write',
    payments: 'write',
    accounts: 'write',
    charges: 'write',
    strings: 'read',
    instances: 'read',
    webhooks: 'read',
    processors: 'read',
    reports: 'read',
  },
  EDITOR: { payment_links: 'read', strings: 'write', instances: 'read', brandings: 'write' },
  VIEWER: {
    payment_links: 'read',
    payments: 'read',
    accounts: 'read',
    charges: 'read',
    strings: 'read',
    instances: 'read',
    reports: 'read',
  },
}

/** Returns the permissions of a role in an instance of this mode. */
export function permissionsOfRole(role: Role, mode: 'TEST' | 'LIVE'): ReadonlySet<Permission> {
  const permitted = new Set<Permission>()
  for (const [area, access] of Object.entries(ROLE_ACCESS[role]) as [Area, RoleAccess][]) {
    permitted.add(`${area}:read`)
    if (access === 'write' || (access === 'test-write' && mode === 'TEST')) {
      permitted.add(`${area}:write`)
    }
  }
  return permitted
}
