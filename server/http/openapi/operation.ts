import type { Route } from '../router.ts'
import { isScope, permissionFor } from '../scopes.ts'
import { requestHeaders } from './headers.ts'
import type { Audience, DescribedRoute } from './mount.ts'
import { operationId, singular } from './operation-id.ts'
import { REQUEST_EXAMPLES } from './request-examples.ts'
import { describeResponses } from './responses.ts'
import type { ConvertedSchemas, JsonSchema } from './schemas.ts'

export interface Operation {
  /** `/payment_links/{id}`. */
  path: string
  method: Route['method']
  described: object
  /** Responses that operations share, by name. */
  shared: Record<string, object>
}

/** Describes one route. `prefix` is put before its path. */
export function describeOperation(
  { audience, prefix }: { audience: Audience; prefix: string },
  route: DescribedRoute,
  schemas: ConvertedSchemas,
): Operation {
  const path = `${prefix}${route.path}`.replaceAll(/:(\w+)/g, '{$1}')
  const { responses, shared } = describeResponses(audience, route, schemas)
  const parameters = [
    ...pathParameters(route, schemas),
    ...(route.query ? queryParameters(route, schemas.request(route.query)) : []),
    ...requestHeaders(audience, route),
  ]
  return {
    path,
    method: route.method,
    shared,
    described: {
      operationId: operationId(route),
      tags: [route.tag],
      summary: route.summary,
      description: route.description,
      security: securityOf(audience, route),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...requestBody(route, schemas),
      responses,
    },
  }
}

function securityOf(audience: Audience, route: DescribedRoute): Record<string, string[]>[] {
  if (audience === 'merchant') {
    const permission = permissionFor(route)
    if (permission !== undefined && !isScope(permission)) return [{ basic: [] }]
    return [{ basic: [] }, { oauth: permission === undefined ? [] : [permission] }]
  }
  // Of the payer's operations, only those with a session token return 401.
  if (audience === 'payer') return Object.hasOwn(route.responses, 401) ? [{ checkout: [] }] : []
  return (route.security ?? []).map((schemes) =>
    Object.fromEntries(schemes.map((scheme) => [scheme, []])),
  )
}

function requestBody(route: DescribedRoute, schemas: ConvertedSchemas) {
  const { body, bodyOptional, form } = route
  const schema = form ?? body
  if (!schema) return {}
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const examples = REQUEST_EXAMPLES[operationId(route)]
  return {
    requestBody: {
      required: !bodyOptional,
      content: { [type]: { schema: schemas.request(schema), ...(examples ? { examples } : {}) } },
    },
  }
}

/** Returns all path parameters, with the descriptions of the route if it has them. */
function pathParameters({ path, params }: Route, schemas: ConvertedSchemas): object[] {
  const described = params ? parametersIn('path', schemas.request(params)) : []
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    description: `The ${name} of the ${resourceBefore(path, name)}.`,
    schema: { type: 'string' },
    ...described.find((parameter) => parameter.name === name),
    name,
    in: 'path',
    required: true,
  }))
}

/** `payment link` for the id of `/payment_links/:id`. */
function resourceBefore(path: string, name: string): string {
  const before =
    path
      .slice(0, path.indexOf(`/:${name}`))
      .split('/')
      .at(-1) ?? ''
  return singular(before).replaceAll('_', ' ')
}

/** Returns the query parameters. `criteria` and `order` list the fields. */
function queryParameters({ fields }: Route, schema: JsonSchema) {
  return parametersIn('query', schema).map((parameter) => {
    const { name, description } = parameter
    const takesFields = ['criteria', 'order'].includes(name) && typeof description === 'string'
    return fields && takesFields
      ? { ...parameter, description: `${description} ${namesOf(fields)}` }
      : parameter
  })
}

const namesOf = (fields: readonly string[]) =>
  `Fields: ${fields.map((field) => `\`${field}\``).join(', ')}.`

function parametersIn(where: 'path' | 'query', schema: JsonSchema) {
  const required = new Set(schema['required'] as string[] | undefined)
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  return members.map(([name, { description, examples, ...member }]) => ({
    name,
    in: where,
    required: required.has(name),
    ...(description === undefined ? {} : { description }),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    schema: member,
  }))
}
