import type { z } from 'zod'
import about from '../../../package.json' with { type: 'json' }
import { HEADERS } from '../response-headers.ts'
import type { Audience, DescribedRoute, Mount } from './mount.ts'
import { describeOperation } from './operation.ts'
import { responseSchemas } from './responses.ts'
import { convertSchemas } from './schemas.ts'
import { SECURITY_SCHEMES } from './security-schemes.ts'
import { describeTags } from './tags.ts'
import { type DescribedEvent, describeWebhooks } from './webhooks.ts'

export interface OpenapiSource {
  mounts: readonly Mount[]
  /** Operations that no router of `mounts` serves. */
  described: readonly DescribedRoute[]
  events: readonly DescribedEvent[]
  /** The URL of the server, without a trailing slash. */
  baseUrl: string
}

interface Place {
  audience: Audience
  prefix: string
  route: DescribedRoute
}

/**
 * Creates the OpenAPI 3.1 document of all operations and webhook events from the schemas that
 * validate requests. Common parts, such as headers and errors, are added by rule.
 */
export function openapiDocument({ mounts, described, events, baseUrl }: OpenapiSource) {
  const places = [
    ...mounts.flatMap((mount) => placesOf(mount)),
    ...described.map((route): Place => ({ audience: 'described', prefix: '', route })),
  ]
  const schemas = convertSchemas(
    places.flatMap(({ route }) => sentSchemas(route)),
    [
      ...places.flatMap(({ audience, route }) => responseSchemas(audience, route)),
      ...events.map(({ body }) => body),
    ],
  )
  const paths: Record<string, Record<string, unknown>> = {}
  const responses: Record<string, object> = {}
  for (const place of places) {
    const {
      path,
      method,
      described: operation,
      shared,
    } = describeOperation(place, place.route, schemas)
    // The prefixes of the API are its servers, because both serve the same paths.
    paths[path] ??= place.audience === 'merchant' ? {} : { servers: [{ url: '/' }] }
    paths[path][method] = operation
    Object.assign(responses, shared)
  }
  const tags = new Set([...places.map(({ route }) => route.tag), 'events'])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Checkstand',
      version: '1.0.0',
      description: `${about.description} Amounts are decimal strings in major units of the currency, and times are RFC 3339 date-times in UTC.`,
      license: { name: 'Apache License 2.0', identifier: about.license },
    },
    servers: [
      {
        url: `${baseUrl}/c/api/instances/{instance_key}`,
        description: 'With a secret key, or with e-mail and password.',
        variables: { instance_key: { default: 'default', description: 'Key of the instance.' } },
      },
      { url: `${baseUrl}/c/api`, description: 'With a token, which identifies the instance.' },
    ],
    tags: describeTags(tags),
    paths,
    webhooks: describeWebhooks(events, schemas),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: schemas.components,
      responses,
      headers: HEADERS,
    },
  }
}

export type OpenapiDocument = ReturnType<typeof openapiDocument>

function placesOf({ prefix, routes, security }: Mount): Place[] {
  if (security === 'bearer') return []
  const isMerchants = security === 'basic'
  return routes.map((route) => ({
    audience: isMerchants ? 'merchant' : 'payer',
    prefix: isMerchants ? '' : prefix,
    route,
  }))
}

function sentSchemas({ params, query, body, form }: DescribedRoute): z.ZodType[] {
  return [params, query, body, form].filter((schema) => schema !== undefined)
}
