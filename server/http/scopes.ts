import { ACCESS_AREAS, type Area, type Permission } from '../../shared/rules/permissions.ts'
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
  'string-exports': 'strings',
  'string-imports': 'strings',
  'string-overrides': 'strings',
  'string-revisions': 'strings',
  'instance-webhooks': 'webhooks',
  deliveries: 'webhooks',
  events: 'webhooks',
  instances: 'instances',
  'legal-entities': 'instances',
  'legal-entity-routes': 'instances',
  processors: 'processors',
  'secret-keys': 'keys',
  totals: 'reports',
  'oauth-grants': 'grants',
  audit: 'audit',
  search: null,
  users: 'users',
  'user-sessions': 'users',
  timeline: null,
  attention: null,
  preferences: null,
  views: 'instances',
  whoami: null,
}

interface DescribedAccess {
  tag: string
  method: string
  byArea?: true
  /** A permission that opens the route as well, for a part of what it does. */
  orPermission?: Permission
}

/**
 * Returns the permission that a route requires, or undefined for one that every caller may use. Throws
 * for an unknown tag, which is a defect.
 */
export function permissionFor(route: DescribedAccess): Permission | undefined {
  const area = Object.hasOwn(AREA_OF_TAG, route.tag) ? AREA_OF_TAG[route.tag] : undefined
  if (area === undefined) throw new Error(`the tag ${route.tag} belongs to no area of scopes`)
  if (area === null || route.byArea) return undefined
  return `${area}:${route.method === 'get' ? 'read' : 'write'}`
}

/** Who calls, as far as permissions depend on it. */
export interface RestrictedCaller {
  permitted: ReadonlySet<Permission>
  /** The type of the actor: a bearer token, a secret key with scopes, or the role of a user. */
  type: 'OAUTH' | 'API_KEY' | 'USER'
  /** Set for a user. */
  user?: ActingUser | undefined
}

/** A user who calls, as far as access depends on the person. */
export interface ActingUser {
  id: string
  /** Ids of the instances that the user can open; null for all of the merchant. */
  instances: readonly string[] | null
  /** Languages whose strings the user can write; null for all. */
  languages: readonly string[] | null
  /** Id of the session; undefined with HTTP Basic. */
  sessionId?: string
}

/** Throws a 403 ApiError if the token or role lacks the permission of the route. */
export function requirePermission(caller: RestrictedCaller, route: DescribedAccess): void {
  const needed = permissionFor(route)
  if (route.orPermission && caller.permitted.has(route.orPermission)) return
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

/** Throws a 403 ApiError if the caller lacks a permission. */
export function requireOne({ permitted, type }: RestrictedCaller, needed: Permission): void {
  if (permitted.has(needed)) return
  if (type === 'USER') {
    throw new ApiError('FORBIDDEN', `The role of this user lacks the permission ${needed}`, {
      recordedAs: { event: 'role_refused', limit: needed },
    })
  }
  const recordedAs = { event: 'scope_refused', limit: needed } as const
  if (!isScope(needed)) {
    const caller = type === 'OAUTH' ? 'Tokens' : 'Secret keys with scopes'
    throw new ApiError('FORBIDDEN', `${caller} cannot have the permission ${needed}`, {
      recordedAs,
    })
  }
  if (type === 'API_KEY') {
    throw new ApiError('FORBIDDEN', `This secret key lacks the scope ${needed}`, { recordedAs })
  }
  throw new ApiError('FORBIDDEN', `This token lacks the scope ${needed}`, {
    recordedAs,
    headers: {
      'WWW-Authenticate': `Bearer realm="Checkstand", error="insufficient_scope", scope="${needed}"`,
    },
  })
}

/** Returns whether OAuth tokens and secret keys with scopes can have a permission. */
export function isScope(permission: Permission): boolean {
  return !ACCESS_AREAS.some((area) => permission.startsWith(`${area}:`))
}
