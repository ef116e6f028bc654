import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import { memberName } from './member-path.ts'
import { ApiError } from '../errors.ts'

/** What a route declares of its query. */
interface DeclaredQuery {
  query?: { shape: object }
  /** Fields for `criteria` and `order` of a list. */
  fields?: readonly string[]
  ignoredParameters?: readonly string[]
}

/**
 * Rejects query parameters that the route does not declare: a misspelled `criteria` would otherwise
 * list everything. Throws a 400 ApiError that names the parameter and suggests a correction.
 */
export function rejectUnknownParameters(route: DeclaredQuery, url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  const declared = Object.keys(route.query?.shape ?? {})
  const allowed = new Set([...declared, ...(route.ignoredParameters ?? [])])
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (allowed.has(name)) continue
    const shown = name === '' ? '""' : memberName(name)
    throw new ApiError(
      'INVALID_REQUEST',
      `Unknown query parameter ${shown}; ${adviceFor(route, declared, { name, value })}`,
    )
  }
}

function adviceFor(
  { fields = [] }: DeclaredQuery,
  declared: readonly string[],
  { name, value }: { name: string; value: string },
): string {
  if (fields.includes(name)) return `use criteria=${name}=${exampleOf(value)}`
  if (declared.length === 0) return 'there are none here'
  return `known here: ${declared.join(', ')}`
}

/**
 * Returns the value itself if it is short, has no meaning in criteria and contains no card number.
 */
function exampleOf(value: string): string {
  return /^[\w.:@-]{1,64}$/.test(value) && !containsCardNumber(value) ? value : '…'
}
