import { z } from 'zod'
import type { Mount } from '../../server/http/openapi/mount.ts'
import type { Route } from '../../server/http/router.ts'

/** Every text that a request can bring, read from the schemas of the routes. */

export interface BodyRoute {
  /** `post /payment_links`. */
  name: string
  route: Route & { body: z.ZodType }
}

/** Every route that takes a body, once. */
export function bodyRoutes(mounts: readonly Mount[]): BodyRoute[] {
  const routes = new Map<string, Route>()
  for (const { routes: mounted } of mounts) {
    for (const route of mounted) routes.set(`${route.method} ${route.path}`, route)
  }
  return [...routes].flatMap(([name, route]) =>
    route.body ? [{ name, route: route as BodyRoute['route'] }] : [],
  )
}

/** The part of JSON Schema that the schemas of requests use. */
interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  format?: string
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** A part of a body: a text, a list, or an object whose names the caller chooses. */
export interface Part {
  /** `payment_link.options.name`; `*` is a name that the caller chooses, `0` a member of a list. */
  path: string
  kind: 'TEXT' | 'LIST' | 'NAMES' | 'ANYTHING'
  /** Whether the schema has a maximum length. */
  isBounded: boolean
}

export function partsOf(body: z.ZodType): Part[] {
  const root = z.toJSONSchema(body, { unrepresentable: 'any' }) as Schema
  const parts: Part[] = []
  walk(root, '')
  return parts

  function walk(given: Schema, path: string): void {
    const schema = given.$ref === undefined ? given : definition(given.$ref)
    for (const branch of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(branch, path)
    const add = (kind: Part['kind'], isBounded: boolean) => parts.push({ path, kind, isBounded })
    if (Array.isArray(schema.type)) add('ANYTHING', false)
    if (schema.type === 'string' && schema.enum === undefined && schema.const === undefined) {
      add('TEXT', schema.maxLength !== undefined || isShort(schema))
    }
    if (schema.type === 'array') add('LIST', schema.maxItems !== undefined)
    if (schema.items) walk(schema.items, within(path, '0'))
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      walk(member, within(path, name))
    }
    if (typeof schema.additionalProperties === 'object') {
      add('NAMES', schema.propertyNames?.maxLength !== undefined)
      walk(schema.additionalProperties, within(path, '*'))
    }
  }

  function definition(ref: string): Schema {
    return ref === '#' ? root : (root.$defs?.[ref.replace('#/$defs/', '')] as Schema)
  }
}

/** A pattern that repeats nothing without an end. */
function isShort({ pattern, format }: Schema): boolean {
  if (format === 'uuid') return true
  return pattern !== undefined && !/(?<!\\)[*+]|\{\d+,\}/.test(pattern)
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The paths of all texts in a value, in the words of `Part`. */
export function textsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, within(path, name)))
}

/** A copy with another value at a path. */
export function replaced(value: unknown, path: string, by: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  const steps = path.split('.')
  const last = steps.pop() as string
  let holder = copy
  for (const step of steps) holder = holder[step] as Record<string, unknown>
  holder[last] = by
  return copy
}
