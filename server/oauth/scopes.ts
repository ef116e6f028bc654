import { permissionsOf } from '../http/scopes.ts'

/**
 * The scopes of a request, in one spelling; undefined when one of them is unknown or goes beyond
 * what may be asked for. Left out means all of it (contract section 5).
 */
export function resolveScopes(asked: string | undefined, allowed: string): string | undefined {
  const wanted = [...new Set((asked ?? allowed).split(' ').filter(Boolean))].toSorted().join(' ')
  if (wanted === '') return undefined
  const [permitted, limit] = [permissionsOf(wanted), permissionsOf(allowed)]
  if (!permitted || !limit) return undefined
  return [...permitted].every((permission) => limit.has(permission)) ? wanted : undefined
}
