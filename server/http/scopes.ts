import { AREAS, type Area, type Permission } from '../../shared/rules/permissions.ts'
import { ApiError } from '../errors.ts'

/** The area of each tag; null for what every caller may read. */
const AREA_OF_TAG: Readonly<Record<string, Area | null>> = {
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
  'string-acks': 'strings',
  'string-overrides': 'strings',
  'string-revisions': 'strings',
  'instance-webhooks': 'webhooks',
  events: 'webhooks',
  instances: 'instances',
  'legal-entities': 'instances',
  'legal-entity-routes': 'instances',
  processors: 'processors',
  whoami: null,
}

/**
 * Returns the permission that a route requires, or undefined for one that every caller may use. Throws
 * for an unknown tag, which is a defect.
 */
export function permissionFor(route: { tag: string; method: string }): Permission | undefined {
  const area = Object.hasOwn(AREA_OF_TAG, route.tag) ? AREA_OF_TAG[route.tag] : undefined
  if (area === undefined) throw new Error(`the tag ${route.tag} belongs to no area of scopes`)
  if (area === null) return undefined
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

/** Who calls, as far as permissions depend on it. */
export interface RestrictedCaller {
  permitted: ReadonlySet<Permission>
  /** Whether a bearer token restricts the caller; a role does otherwise. */
  byToken: boolean
}

/** Throws a 403 ApiError if the token or role lacks the permission of the route. */
export function requirePermission(
  caller: RestrictedCaller,
  route: { tag: string; method: string },
): void {
  const needed = permissionFor(route)
  if (needed !== undefined) requireOne(caller, needed)
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
 * Throws a 403 ApiError if the caller may not read a record that `expand` names, because expanded
 * records are returned in full. Unknown names are left to the expander.
 */
export function requireExpansions(caller: RestrictedCaller, expand: string): void {
  for (const name of expand.split(/[,.]/).map((part) => part.trim())) {
    const area = Object.hasOwn(AREA_OF_MEMBER, name) ? AREA_OF_MEMBER[name] : null
    if (area) requireOne(caller, `${area}:read`)
  }
}

function requireOne({ permitted, byToken }: RestrictedCaller, needed: Permission): void {
  if (permitted.has(needed)) return
  if (!byToken) {
    throw new ApiError('FORBIDDEN', `The role of this user lacks the permission ${needed}`, {
      recordedAs: { event: 'role_refused', limit: needed },
    })
  }
  throw new ApiError('FORBIDDEN', `This token lacks the scope ${needed}`, {
    recordedAs: { event: 'scope_refused', limit: needed },
    headers: {
      'WWW-Authenticate': `Bearer realm="Checkstand", error="insufficient_scope", scope="${needed}"`,
    },
  })
}
