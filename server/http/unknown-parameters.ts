import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import { memberName } from './member-path.ts'
import { ApiError } from '../errors.ts'
import type { Route } from './router.ts'

/**
 * Rejects query parameters that the route does not declare: a misspelled `criteria` would otherwise
 * list everything. Throws a 400 ApiError that names the parameter and suggests a correction.
 */
export function rejectUnknownParameters(route: Route, url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  const known = Object.keys(route.query?.shape ?? {})
  const allowed = new Set([...known, ...(route.ignoredParameters ?? [])])
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (allowed.has(name)) continue
    const shown = name === '' ? '""' : memberName(name)
    throw new ApiError(
      'INVALID_REQUEST',
      `Unknown query parameter ${shown}; ${adviceFor(route, known, { name, value })}`,
    )
  }
}

function adviceFor(
  { fields = [] }: Route,
  known: readonly string[],
  { name, value }: { name: string; value: string },
): string {
  if (fields.includes(name)) return `use criteria=${name}=${exampleOf(value)}`
  if (known.length === 0) return 'there are none here'
  return `known here: ${known.join(', ')}`
}

/**
 * Returns the value itself if it is short, has no meaning in criteria and contains no card number.
 */
function exampleOf(value: string): string {
  return /^[\w.:@-]{1,64}$/.test(value) && !holdsCardNumber(value) ? value : '…'
}
