import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import type { Handler } from 'hono'
import { z } from 'zod'
import { answerAsset, newAsset } from './assets.ts'
import type { Asset } from './assets.ts'
import type { Route } from './router.ts'
import { SCOPES, permissionFor } from './scopes.ts'

/** One place where routes are reachable: a prefix, and how callers identify themselves there. */
export interface Mount {
  prefix: string
  routes: readonly Route[]
  /** The merchant's API is mounted twice, for `basic` and for `bearer`; it is described once. */
  security: 'basic' | 'bearer' | 'checkout' | 'none'
}

const STATUS_TEXT: Record<number, string> = {
  200: 'Success',
  204: 'Done, no body',
  303: 'See the Location header',
  400: 'The request breaks a rule; the message names the member',
  401: 'Missing or wrong credentials',
  403: 'The token lacks the scope',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict with a request that is running, or a version that has passed',
  410: 'No longer available',
  422: 'The Idempotency-Key was used for another request',
  429: 'Too many; the header Retry-After says in how many seconds to come again',
  500: 'Internal error',
}

/** The OpenAPI 3.1 document of what is mounted, from the same schemas that validate. */
export function openapiDocument(mounts: readonly Mount[], baseUrl: string) {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'basic', {
    type: 'http',
    scheme: 'basic',
    description: 'A secret key as user name with an empty password, or e-mail and password.',
  })
  registry.registerComponent('securitySchemes', 'checkout', {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a checkout session.',
  })
  registry.registerComponent('securitySchemes', 'oauth', {
    type: 'oauth2',
    description: 'A token that a merchant granted to a platform; it says which instance is meant.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scopeText(scope)])),
      },
    },
  })
  for (const mount of mounts.filter(({ security }) => security !== 'bearer')) {
    for (const route of mount.routes) registry.registerPath(describe(mount, route))
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Checkstand',
      version: '1.0.0',
      description: 'Hosted checkout and payment links.',
    },
    servers: [
      {
        url: `${baseUrl}/c/api/instances/{instance_key}`,
        description: 'With a secret key, or with e-mail and password.',
        variables: { instance_key: { default: 'default' } },
      },
      { url: `${baseUrl}/c/api`, description: 'With a token: it says which instance is meant.' },
    ],
  })
}

/** Answers with the document, which is made once, when it is first asked for. */
export function serveOpenapi(mounts: readonly Mount[], baseUrl: string): Handler {
  let asset: Asset | undefined
  return (c) => {
    asset ??= newAsset(
      'application/json',
      new TextEncoder().encode(JSON.stringify(openapiDocument(mounts, baseUrl))),
    )
    return answerAsset(c, asset)
  }
}

function scopeText(scope: string): string {
  const [access = '', area] = scope.split(':').toReversed()
  return `${access === 'read' ? 'Read' : 'Write'} ${area?.replace('_', ' ') ?? 'everything'}`
}

/** What every POST of a merchant may carry (contract section 17). */
const REPEATABLE = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'A key of the caller, printable ASCII. The same request with the same key acts once: a repeat ' +
        'is answered as the first was, with the header Idempotent-Replayed: true.',
      example: '0f8b6d1e-5c57-4b0e-9a55-0f1c7a2f6d43',
    }),
})

const TEXT_TYPES = { html: 'text/html', svg: 'image/svg+xml' } as const

function describe(mount: Mount, route: Route): Parameters<OpenAPIRegistry['registerPath']>[0] {
  // The prefixes of the merchant's API are its servers, because one path is behind both.
  const isMerchants = mount.security === 'basic'
  const path = `${isMerchants ? '' : mount.prefix}${route.path}`.replace(/:(\w+)/g, '{$1}')
  return {
    method: route.method,
    path,
    ...(isMerchants ? {} : { servers: [{ url: '/' }] }),
    operationId: operationId(route.method, path),
    tags: [route.tag],
    summary: route.summary,
    ...securityOf(mount, route),
    request: {
      params: pathParameters(path, route.params),
      ...(isMerchants && route.method === 'post' ? { headers: REPEATABLE } : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.body
        ? {
            body: {
              required: !route.bodyOptional,
              content: { 'application/json': { schema: route.body } },
            },
          }
        : {}),
    },
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, schema]) => [
        status,
        {
          description: STATUS_TEXT[Number(status)] ?? 'Answer',
          ...(schema === null
            ? {}
            : typeof schema === 'string'
              ? { content: { [TEXT_TYPES[schema]]: { schema: { type: 'string' } } } }
              : { content: { 'application/json': { schema } } }),
        },
      ]),
    ) as Parameters<OpenAPIRegistry['registerPath']>[0]['responses'],
  }
}

function securityOf({ security }: Mount, route: Route): { security?: Record<string, string[]>[] } {
  if (security === 'none') return {}
  if (security === 'checkout') return { security: [{ checkout: [] }] }
  return { security: [{ basic: [] }, { oauth: [permissionFor(route)] }] }
}

/** Every name in the path, with the route's own description where it has one. */
function pathParameters(path: string, known: z.ZodObject | undefined): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  return z.object(Object.fromEntries(names.map((name) => [name, known?.shape[name] ?? z.string()])))
}

function operationId(method: string, path: string): string {
  const words = path.replace(/[{}]/g, '').split(/[/_.]/).filter(Boolean)
  return [method, ...words].join('_')
}
