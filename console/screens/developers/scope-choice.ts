import { AREAS, type Permission, type ScopeArea } from '../../../shared/rules/permissions.ts'

export type ScopeAccess = 'none' | 'read' | 'write'
export type ScopeChoice = Readonly<Record<ScopeArea, ScopeAccess>>

export const NO_SCOPES = Object.fromEntries(AREAS.map((area) => [area, 'none'])) as ScopeChoice

/** Returns the scopes of a choice. Writing includes reading here, which it does not in the API. */
export function scopesOf(choice: ScopeChoice): Permission[] {
  return AREAS.flatMap((area): Permission[] => {
    if (choice[area] === 'none') return []
    return choice[area] === 'read' ? [`${area}:read`] : [`${area}:read`, `${area}:write`]
  })
}

/** Returns the accesses to an area that a person may give: those that they have. */
export function accessesOf(
  permitted: ReadonlySet<Permission>,
  area: ScopeArea,
): readonly ScopeAccess[] {
  if (!permitted.has(`${area}:read`)) return ['none']
  return permitted.has(`${area}:write`) ? ['none', 'read', 'write'] : ['none', 'read']
}
