import { ApiError } from '../errors.ts'

/**
 * What a token may do: read or write, in one area of the interface or in all (contract section 5).
 * Writing does not include reading; a client that needs both asks for both.
 */

export const AREAS = [
  'payment_links',
  'payments',
  'accounts',
  'charges',
  'strings',
  'webhooks',
  'instances',
] as const

export type Area = (typeof AREAS)[number]
export type Access = 'read' | 'write'
export type Permission = `${Area}:${Access}`

const AREA_OF_TAG: Readonly<Record<string, Area>> = {
  'payment-links': 'payment_links',
  checkouts: 'payment_links',
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
}

/** What a caller with a token needs for a route. A tag without an area is a defect, not an opening. */
export function permissionFor(route: { tag: string; method: string }): Permission {
  const area = Object.hasOwn(AREA_OF_TAG, route.tag) ? AREA_OF_TAG[route.tag] : undefined
  if (area === undefined) throw new Error(`the tag ${route.tag} belongs to no area of scopes`)
  return `${area}:${route.method === 'get' ? 'read' : 'write'}`
}

/** Every scope that there is, with what it permits: `read` and `write` are those of all areas. */
const PERMITS: ReadonlyMap<string, readonly Permission[]> = new Map([
  ...(['read', 'write'] as const).map((access): [string, Permission[]] => [
    access,
    AREAS.map((area): Permission => `${area}:${access}`),
  ]),
  ...AREAS.flatMap((area) =>
    (['read', 'write'] as const).map((access): [string, Permission[]] => [
      `${area}:${access}`,
      [`${area}:${access}`],
    ]),
  ),
])

/** The names of all scopes, for documents and messages. */
export const SCOPES: readonly string[] = [...PERMITS.keys()]

/** What a list of scopes, separated by spaces, permits; undefined when one of them is unknown. */
export function permissionsOf(scopes: string): ReadonlySet<Permission> | undefined {
  const permitted = new Set<Permission>()
  for (const scope of scopes.split(' ').filter(Boolean)) {
    const permits = PERMITS.get(scope)
    if (!permits) return undefined
    for (const permission of permits) permitted.add(permission)
  }
  return permitted
}

/** Throws 403 when a token lacks what a route needs. */
export function requirePermission(
  permitted: ReadonlySet<Permission>,
  route: { tag: string; method: string },
): void {
  requireOne(permitted, permissionFor(route))
}

/**
 * Whose records the members lead to that `expand` can name. Who made a change, and from where, is
 * part of the record itself, and so is nobody's area.
 */
export const AREA_OF_MEMBER: Readonly<Record<string, Area | null>> = {
  account: 'accounts',
  charge: 'charges',
  contract: 'charges',
  created_session: null,
  last_transaction: 'payments',
  parts: 'charges',
  payment: 'payments',
  payment_link: 'payment_links',
  payment_method: 'accounts',
  source_transaction: 'payments',
  transaction: 'payments',
  updated_session: null,
}

/**
 * Throws 403 when a token may not read what `expand` names: an expanded record is shown whole, and
 * asking for it behind another one must open no more than asking for it by itself. A name that
 * leads nowhere is left to whoever expands.
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
