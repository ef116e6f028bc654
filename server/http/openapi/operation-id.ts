import type { Route } from '../router.ts'

/**
 * Returns the operation id for generated clients: a verb and the resource, such as
 * `create_payment_link`, `list_payment_links` and `capture_payment`.
 */
export function operationId({ method, path, operation }: Route): string {
  if (operation !== undefined) return operation
  const segments = path.split('/').filter(Boolean)
  const names = segments.filter((segment) => !segment.startsWith(':'))
  const [resource = '', part] = names
  const isOne = segments[1]?.startsWith(':') ?? false
  if (!isOne) return method === 'get' ? `list_${resource}` : `create_${singular(resource)}`
  if (part === undefined) return `${VERBS[method]}_${singular(resource)}`
  return method === 'get' ? `list_${singular(resource)}_${part}` : `${part}_${singular(resource)}`
}

const VERBS = { get: 'get', put: 'update', post: 'create', delete: 'delete' } as const

/** `payment_links` becomes `payment_link`, and `legal_entities` `legal_entity`. */
export function singular(resource: string): string {
  return resource.replace(/ies$/, 'y').replace(/s$/, '')
}
