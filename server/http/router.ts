import { type Context, Hono } from 'hono'
import type { BlankEnv } from 'hono/types'
import type { z } from 'zod'
import { BODY_BYTES_MAX, readBytes, readJson } from './body.ts'
import type { HeaderName } from './response-headers.ts'
import { validationMessage, isAboutCardNumber } from './validation-message.ts'
import type { Permission } from '../../shared/rules/permissions.ts'
import { ApiError, type RecordedAs } from '../errors.ts'
import { rejectUnknownParameters } from './unknown-parameters.ts'
import { requireSecondFactor, requireStepUp } from './step-up.ts'
import {
  type ActingUser,
  requireExpansions,
  requirePermission,
  type RestrictedCaller,
} from './scopes.ts'

/**
 * Routes are described once: the description validates the request, types the handler, and becomes
 * the OpenAPI document, which the tests check every response against.
 */

declare module 'hono' {
  interface ContextVariableMap {
    /** The body as it arrived, which identifies a repeated request. */
    bodyBytes: Uint8Array
    /** The user who calls; unset for secret keys and tokens. */
    actingUser?: ActingUser
  }
}

/** A request with the variables that the middlewares declare. */
export type AppContext = Context<BlankEnv>

export interface Route {
  method: 'get' | 'post' | 'put' | 'delete'
  /** Hono's form: `/payment_links/:id`. */
  path: string
  tag: string
  /** The operation id, if the derived one reads badly. */
  operation?: string
  summary: string
  /** Effects and rules, in sentences. */
  description: string
  params?: z.ZodObject
  query?: z.ZodObject
  /** A list that is also returned as CSV. */
  csv?: true
  /** Fields for `criteria` and `order` of a list. */
  fields?: readonly string[]
  /** Query parameters that are accepted and ignored, because the body contains their values. */
  ignoredParameters?: readonly string[]
  body?: z.ZodType
  bodyOptional?: boolean
  bodyBytesMax?: number
  /** Maximum members of the body, on all levels. */
  bodyKeysMax?: number
  /** Open to every caller: the handler returns what the areas of the caller permit. */
  byArea?: true
  /** A permission that opens the route as well, for the part of it that the handler then allows. */
  orPermission?: Permission
  /** A user of the console must have proved who they are within ten minutes. */
  stepUp?: true
  /** Open to users whose second factor is missing. */
  withoutSecondFactor?: true
  /** Accepts cross-site requests, including POST, because banks redirect browsers here. */
  fromElsewhere?: true
  /**
   * Status to schema; null for a response without a body, 'html' for a page, 'svg' for an image,
   * 'events' for server-sent events.
   */
  responses: Record<number, z.ZodType | null | 'html' | 'svg' | 'events'>
  /** Headers of the responses with a status, besides those that the status itself has. */
  answerHeaders?: Record<number, HeaderName[]>
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parsed and validated parts of a request. */
export interface Input<R extends Route> {
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
}

export interface Router {
  app: Hono
  routes: Route[]
  on<R extends Route>(
    route: R,
    handler: (c: AppContext, input: Input<R>) => Promise<Response> | Response,
  ): void
}

export interface RouterOptions {
  /** Epoch milliseconds, for routes with `stepUp`. */
  now?: () => number
  /**
   * Rejects query parameters that a route does not declare. Pages accept them, because other sites
   * may add parameters to their URLs.
   */
  refuseUnknownParameters?: boolean
}

export function newRouter({
  refuseUnknownParameters = false,
  now = Date.now,
}: RouterOptions = {}): Router {
  const app = new Hono()
  const routes: Route[] = []
  return {
    app,
    routes,
    on(route, handler) {
      routes.push(route)
      app.on(route.method.toUpperCase(), route.path, async (c) => {
        const caller = restrictedCaller(c)
        if (caller) {
          requirePermission(caller, route)
          for (const expand of c.req.queries('expand') ?? []) requireExpansions(caller, expand)
        }
        if (!route.withoutSecondFactor) requireSecondFactor(c)
        if (route.stepUp) requireStepUp(c, now())
        if (refuseUnknownParameters) rejectUnknownParameters(route, c.req.url)
        return handler(c, (await readInput(c, route)) as never)
      })
    },
  }
}

/** Returns the caller of a request whose permissions are limited; undefined for one who may do everything. */
export function restrictedCaller(c: AppContext): RestrictedCaller | undefined {
  const permitted = c.get('permitted')
  if (!permitted) return undefined
  return {
    permitted,
    type: c.get('actor').type as RestrictedCaller['type'],
    user: c.get('actingUser'),
  }
}

async function readInput(c: AppContext, route: Route): Promise<unknown> {
  const params = check(route.params, c.req.param())
  const query = check(route.query, readQuery(c, route))
  if (!route.body) return { params, query, body: undefined }
  const bytes = await readBytes(c, route.bodyBytesMax ?? BODY_BYTES_MAX)
  c.set('bodyBytes', bytes)
  const json = readJson(c, bytes, {
    keysMax: route.bodyKeysMax,
    optional: route.bodyOptional ?? false,
  })
  const body = json === undefined && route.bodyOptional ? undefined : check(route.body, json)
  return { params, query, body }
}

/**
 * Returns the declared query parameters. A repeated one is rejected as ambiguous, except on pages,
 * which use the first.
 */
function readQuery(c: AppContext, route: Route): Record<string, string> {
  const isPage = Object.values(route.responses).includes('html')
  const query: Record<string, string> = {}
  for (const name of Object.keys(route.query?.shape ?? {})) {
    const values = c.req.queries(name) ?? []
    if (values.length > 1 && !isPage) {
      throw new ApiError('INVALID_REQUEST', `${name} must not be repeated`)
    }
    if (values[0] !== undefined) query[name] = values[0]
  }
  return query
}

function check(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const recordedAs: RecordedAs | undefined = isAboutCardNumber(parsed.error)
      ? { event: 'card_number_refused' }
      : undefined
    throw new ApiError('INVALID_REQUEST', validationMessage(parsed.error), { recordedAs })
  }
  return parsed.data
}

/**
 * Responds 405 to other methods of known paths. Must be called after every route is mounted,
 * because it would otherwise shadow them.
 */
export function rejectOtherMethods(router: Router): void {
  for (const path of new Set(router.routes.map((route) => route.path))) {
    const allowed = router.routes.filter((route) => route.path === path)
    router.app.all(path, (c) => {
      c.header('Allow', allowed.map((route) => route.method.toUpperCase()).join(', '))
      throw new ApiError('METHOD_NOT_ALLOWED', `${c.req.method} is not allowed here`)
    })
  }
}
