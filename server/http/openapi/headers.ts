import type { HeaderName } from '../response-headers.ts'
import type { Route } from '../router.ts'
import type { Audience } from './mount.ts'

/** Returns the headers of a response by status. */
export function responseHeaders(audience: Audience, route: Route, status: number): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id']
  if (status === 200 && isIdempotent(audience, route)) names.push('Idempotent-Replayed')
  if (status === 303) names.push('Location')
  if (status === 401 || (status === 403 && audience === 'merchant')) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  // Writes of strings are queued and time out with 400.
  const mayWait = status === 400 && route.tag === 'strings'
  if (mayWait || [409, 429, 503].includes(status)) names.push('Retry-After')
  return [...names, ...(route.answerHeaders?.[status] ?? [])]
}

/** Returns the headers of a request as parameters. */
export function requestHeaders(audience: Audience, route: Route): object[] {
  if (isIdempotent(audience, route)) return [IDEMPOTENCY_KEY]
  return isVersioned(audience, route) ? [IF_MATCH] : []
}

/** Every POST of the API is idempotent by key. */
function isIdempotent(audience: Audience, { method }: Route): boolean {
  return audience === 'merchant' && method === 'post'
}

/** A route that can return 409 checks the version. */
function isVersioned(audience: Audience, { method, responses }: Route): boolean {
  return audience === 'merchant' && method === 'put' && Object.hasOwn(responses, 409)
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key that the caller chooses, such as a UUID. A repeated request with the same key ' +
    'is processed once and returns the first response with the header ' +
    'Idempotent-Replayed. Keys of payments, captures, refunds and voids are kept for ' +
    'seven days, others for one day.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '0f8b6d1e-5c57-4b0e-9a55-0f1c7a2f6d43',
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The version (v) that the caller has seen. The change is refused with 409 when the record is at ' +
    'another one by now. Left out, or *, the change is made to any version.',
  schema: { type: 'string', pattern: '^(\\*|"?[0-9]{1,9}"?)$' },
  example: '"3"',
}
