import { ApiError } from '../errors.ts'

/**
 * Permissions of a token: read or write, in one area of the API or in all. Write does not include
 * read.
 */

export const AREAS = [
  'payment_links',
  'payments',
  'accounts',
  'charges',
  'strings',
  'webhooks',
  'instances',
  'processors',
] as const

export type Area = (typeof AREAS)[number]
export type Access = 'read' | 'write'
export type Permission = `${Area}:${Access}`

const AREA_OF_TAG: Readonly<Record<string, Area>> = {
  'payment-links': 'payment_links',
  'deep-links': 'payment_links',
  checkouts: 'payment_links',
  'checkout-monitor': 'payment_links',
  payments: 'payments',
  captures: 'payments',
  refunds: 'payments',
  reversals: 'payments',
  voids: 'payments',
  accounts: 'accounts',
  'payment-methods': 'accounts',
  charges: 'charges',
  contracts: 'charges',
  strings: 'strings',
  'instance-webhooks': 'webhooks',
  events: 'webhooks',
  instances: 'instances',
  'legal-entities': 'instances',
  'legal-entity-routes': 'instances',
  processors: 'processors',
}

/**
 * Returns the permission that a route requires. Throws for a tag without an area, which is a
 * defect.
 */
export function permissionFor(route: { tag: string; method: string }): Permission {
  const area = Object.hasOwn(AREA_OF_TAG, route.tag) ? AREA_OF_TAG[route.tag] : undefined
  if (area === undefined) throw new Error(`the tag ${route.tag} belongs to no area of scopes`)
  return `${area}:${route.method === 'get' ? 'read' : 'write'}`
}

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

/** Throws a 403 ApiError if the token lacks the permission of the route. */
export function requirePermission(
  permitted: ReadonlySet<Permission>,
  route: { tag: string; method: string },
): void {
  requireOne(permitted, permissionFor(route))
}

/**
 * The area of the records that each expandable member refers to; null for actor sessions, which
 * belong to the record itself.
 */
export const AREA_OF_MEMBER: Readonly<Record<string, Area | null>> = {
  account: 'accounts',
  charge: 'charges',
  charges: 'charges',
  contract: 'charges',
  created_session: null,
  deep_link: 'payment_links',
  last_transaction: 'payments',
  legal_entity: 'instances',
  parts: 'charges',
  payment: 'payments',
  payment_link: 'payment_links',
  payment_method: 'accounts',
  source_transaction: 'payments',
  transaction: 'payments',
  updated_session: null,
}

/**
 * Throws a 403 ApiError if the token may not read a record that `expand` names, because expanded
 * records are returned in full. Unknown names are left to the expander.
 */
export function requireExpansions(permitted: ReadonlySet<Permission>, expand: string): void {
  for (const name of expand.split(/[,.]/).map((part) => part.trim())) {
    const area = Object.hasOwn(AREA_OF_MEMBER, name) ? AREA_OF_MEMBER[name] : null
    if (area) requireOne(permitted, `${area}:read`)
  }
}

function requireOne(permitted: ReadonlySet<Permission>, needed: Permission): void {
  if (permitted.has(needed)) return
  throw new ApiError('FORBIDDEN', `This token lacks the scope ${needed}`, {
    recordedAs: { event: 'scope_refused', limit: needed },
    headers: {
      'WWW-Authenticate': `Bearer realm="Checkstand", error="insufficient_scope", scope="${needed}"`,
    },
  })
}
