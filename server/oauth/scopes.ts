import { permissionsOf } from '../../shared/rules/scopes.ts'

/**
 * Returns the requested scopes, sorted and without duplicates, or all allowed ones when `requested` is
 * undefined. Returns undefined when a scope is unknown or not allowed.
 */
export function resolveScopes(requested: string | undefined, allowed: string): string | undefined {
  const scopes = [...new Set((requested ?? allowed).split(' ').filter(Boolean))]
    .toSorted()
    .join(' ')
  if (scopes === '') return undefined
  const [permitted, limit] = [permissionsOf(scopes), permissionsOf(allowed)]
  if (!permitted || !limit) return undefined
  return [...permitted].every((permission) => limit.has(permission)) ? scopes : undefined
}
