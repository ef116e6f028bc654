/**
 * What a caller may do: read or write, in one area of the API. Write does not include read.
 */

/** Areas that OAuth scopes and restricted secret keys can name. */
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

/** Areas that only users and unrestricted secret keys reach. */
export const ACCESS_AREAS = ['reports', 'keys', 'users', 'grants', 'audit', 'brandings'] as const

export type ScopeArea = (typeof AREAS)[number]
export type Area = ScopeArea | (typeof ACCESS_AREAS)[number]
export type Access = 'read' | 'write'
export type Permission = `${Area}:${Access}`

/** What a secret key without scopes may do. */
export const EVERY_PERMISSION: readonly Permission[] = [...AREAS, ...ACCESS_AREAS].flatMap(
  (area): Permission[] => [`${area}:read`, `${area}:write`],
)
