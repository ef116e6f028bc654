import { AREAS, type Permission } from './permissions.ts'

/** What OAuth tokens and restricted secret keys are permitted by. */

/**
 * What the scope `write` leaves out: who may replace the account at a processor decides where the money
 * goes, so a platform has to name that it wants to.
 */
const OUTSIDE_WRITE: ReadonlySet<Permission> = new Set(['processors:write'])

/** Every scope with its permissions; `read` and `write` apply to all areas, but for the exception above. */
const PERMITS: ReadonlyMap<string, readonly Permission[]> = new Map([
  ...(['read', 'write'] as const).map((access): [string, Permission[]] => [
    access,
    AREAS.map((area): Permission => `${area}:${access}`).filter(
      (permission) => !OUTSIDE_WRITE.has(permission),
    ),
  ]),
  ...AREAS.flatMap((area) =>
    (['read', 'write'] as const).map((access): [string, Permission[]] => [
      `${area}:${access}`,
      [`${area}:${access}`],
    ]),
  ),
])

export const SCOPES: readonly string[] = [...PERMITS.keys()]

/** Returns the permissions of space-separated scopes; undefined if one of them is unknown. */
export function permissionsOf(scopes: string): ReadonlySet<Permission> | undefined {
  const permitted = new Set<Permission>()
  for (const scope of scopes.split(' ').filter(Boolean)) {
    const permits = PERMITS.get(scope)
    if (!permits) return undefined
    for (const permission of permits) permitted.add(permission)
  }
  return permitted
}
