import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { DatabaseLocked, DatabaseUnreachable } from '../db/unreachable.ts'
import type { Deps } from '../deps.ts'
import type { Log } from '../observe/log.ts'
import { recordSecurityRefusal } from './record-refusal.ts'
import { ApiError, SESSION_CHALLENGE, UnauthorizedError } from '../errors.ts'

export type ErrorSinks = Pick<Deps, 'log' | 'security'>

/**
 * Turns every thrown error into a response. An ApiError has a message for the caller; anything else
 * is a defect, which is logged in full and returned without details.
 */
export function handleErrors({ log, security }: ErrorSinks): ErrorHandler {
  return (error, c) => {
    if (error instanceof UnauthorizedError) {
      recordSecurityRefusal(security, c, error.recordedAs)
      const isConsole = c.req.header('checkstand-console') !== undefined
      c.header('WWW-Authenticate', isConsole ? SESSION_CHALLENGE : error.challenge)
      return c.json({ code: 'UNAUTHORIZED', message: 'Unauthorized' }, 401)
    }
    const apiError = unavailableResponse(error, c, log)
    if (apiError instanceof ApiError) {
      if (apiError.recordedAs) recordSecurityRefusal(security, c, apiError.recordedAs)
      for (const [name, value] of Object.entries(apiError.headers)) c.header(name, value)
      return c.json(body(c.req.path, apiError.type, apiError.message, apiError), apiError.status)
    }
    log.error({ err: error, request: c.get('requestId') }, 'request failed')
    return c.json(body(c.req.path, 'INTERNAL', 'Internal server error'), 500)
  }
}

const RETRY_SECONDS = 5

/**
 * Returns a 503 ApiError for an unreachable or locked database, and any other error unchanged. The
 * request may or may not have taken effect.
 */
export function unavailableResponse(error: Error, c: Context, log: Log): Error {
  if (!(error instanceof DatabaseUnreachable)) return error
  // Without a stack, because every request fails alike during an outage.
  log.warn({ error: error.message, request: c.get('requestId') }, 'the database was not reached')
  const fault =
    error instanceof DatabaseLocked ? 'is locked by another process' : 'cannot be reached'
  return new ApiError('UNAVAILABLE', `The database ${fault}; try again in a moment`, {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}

export const handleNotFound: NotFoundHandler = (c) =>
  c.json(body(c.req.path, 'NOT_FOUND', 'Not found'), 404)

/** The strings endpoints return flat errors, all others nested ones. */
const FLAT_AREA = /^\/c\/api\/(instances\/[^/]+\/)?strings(\/|$)/

/**
 * Messages repeat input and may be stored by proxies, logs and error trackers, so card numbers are
 * removed.
 */
function body(
  path: string,
  type: string,
  text: string,
  { code, members }: Partial<Pick<ApiError, 'code' | 'members'>> = {},
) {
  const message = withoutCardNumbers(text)
  if (!FLAT_AREA.test(path)) return { error: { type, message, ...members } }
  return { code: code ?? (type === 'INVALID_REQUEST' ? 'SVC-7001' : type), message }
}
