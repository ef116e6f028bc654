import type { z } from 'zod'
import { flatError, nestedError } from '../../../shared/schemas/error-bodies.ts'
import type { Route } from '../router.ts'
import type { HeaderName } from '../response-headers.ts'
import { responseHeaders } from './headers.ts'
import type { Audience } from './mount.ts'
import type { ConvertedSchemas } from './schemas.ts'

type Responses = Route['responses']

const STATUSES: Readonly<Record<number, { name: string; description: string }>> = {
  200: { name: 'Ok', description: 'The request succeeded.' },
  204: { name: 'NoContent', description: 'The request succeeded; there is no body.' },
  303: { name: 'SeeOther', description: 'The browser goes on to the address in Location.' },
  304: { name: 'NotModified', description: 'The caller has this version already.' },
  400: {
    name: 'BadRequest',
    description:
      'The request breaks a rule, or the present state of a record does not allow it. The message ' +
      'names the member first.',
  },
  401: { name: 'Unauthorized', description: 'The credentials are missing or wrong.' },
  403: { name: 'Forbidden', description: 'The caller may not do this here.' },
  404: { name: 'NotFound', description: 'There is no such record for this caller.' },
  405: { name: 'MethodNotAllowed', description: 'This path has other methods; see Allow.' },
  409: {
    name: 'Conflict',
    description:
      'Another request with the same Idempotency-Key is still running, or the record is at another ' +
      'version than If-Match names.',
  },
  410: { name: 'Gone', description: 'It is no longer available.' },
  413: { name: 'ContentTooLarge', description: 'The body is too long.' },
  421: { name: 'MisdirectedRequest', description: 'The server does not serve this host.' },
  422: {
    name: 'UnprocessableContent',
    description: 'The Idempotency-Key was used for another request.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Retry after the seconds in Retry-After.',
  },
  500: { name: 'InternalServerError', description: 'Internal error; see the log of the server.' },
  502: {
    name: 'BadGateway',
    description: 'The processor gave no clear answer. Nothing was stored.',
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The server is unavailable. The request may or may not have been processed.',
  },
}

/** Returns the responses of all operations of an audience. */
function sharedResponses(audience: Audience, { method, tag, fromElsewhere }: Route): Responses {
  if (audience === 'described') return {}
  const error = tag === 'strings' ? flatError : nestedError
  const everywhere = {
    400: error,
    405: error,
    421: nestedError,
    429: error,
    500: error,
    503: error,
  }
  if (audience === 'merchant') {
    const once: Responses = method === 'post' ? { 409: error, 422: error } : {}
    return { ...everywhere, 401: flatError, 403: error, 404: error, ...once }
  }
  // Cross-site requests are rejected, except returns from a bank.
  return method === 'get' || fromElsewhere ? everywhere : { ...everywhere, 403: error }
}

/** Returns the responses of an operation, and those that operations share. */
export function describeResponses(
  audience: Audience,
  route: Route,
  schemas: ConvertedSchemas,
): { responses: Record<string, object>; shared: Record<string, object> } {
  const shared: Record<string, object> = {}
  const all = { ...sharedResponses(audience, route), ...route.responses }
  const responses = Object.entries(all).map(([text, schema]): [string, object] => {
    const status = Number(text)
    const headers = responseHeaders(audience, route, status)
    const response = {
      description: STATUSES[status]?.description ?? 'The answer.',
      headers: Object.fromEntries(headers.map((name) => [name, headerReference(name)])),
      ...contentOf(
        [
          ...bodyOf(audience, status, schema),
          ...(route.csv && status === 200 ? ['csv' as const] : []),
        ],
        schemas,
      ),
    }
    const isError = schema === nestedError || schema === flatError
    if (!isError || route.answerHeaders?.[status]) return [text, response]
    const audienceName = status === 403 && audience === 'merchant' ? 'Scope' : ''
    const shape = schema === flatError && status !== 401 ? 'Flat' : ''
    const name = `${shape}${STATUSES[status]?.name ?? `Status${status}`}${audienceName}`
    shared[name] = response
    return [text, { $ref: `#/components/responses/${name}` }]
  })
  return { responses: Object.fromEntries(responses), shared }
}

function headerReference(name: HeaderName): { $ref: string } {
  return { $ref: `#/components/headers/${name}` }
}

type Body = Responses[number] | 'csv'

/** An error page is JSON if the request is rejected before it reaches the page. */
function bodyOf(audience: Audience, status: number, schema: Body): Body[] {
  const isPage = audience === 'described' && status >= 400 && schema === 'html'
  return isPage ? [schema, nestedError] : [schema]
}

/** Returns the schemas of all response bodies of an operation. */
export function responseSchemas(audience: Audience, route: Route): z.ZodType[] {
  const all = { ...sharedResponses(audience, route), ...route.responses }
  return Object.entries(all)
    .flatMap(([status, schema]) => bodyOf(audience, Number(status), schema))
    .filter((schema) => schema !== null && typeof schema !== 'string')
}

const TEXT_TYPES = {
  html: 'text/html',
  svg: 'image/svg+xml',
  events: 'text/event-stream',
  csv: 'text/csv',
} as const

function contentOf(bodies: readonly Body[], schemas: ConvertedSchemas): { content?: object } {
  const content = bodies.flatMap((body): [string, object][] => {
    if (body === null) return []
    if (typeof body === 'string') return [[TEXT_TYPES[body], { schema: { type: 'string' } }]]
    return [['application/json', { schema: schemas.response(body) }]]
  })
  return content.length === 0 ? {} : { content: Object.fromEntries(content) }
}
