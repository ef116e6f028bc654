import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { DatabaseLocked, DatabaseUnreachable } from '../db/unreachable.ts'
import type { Deps } from '../deps.ts'
import type { Log } from '../observe/log.ts'
import { recordSecurityRefusal } from './record-refusal.ts'
import { ApiError, UnauthorizedError } from '../errors.ts'

/** Where an error handler writes defects and records refusals. */
export type ErrorSinks = Pick<Deps, 'log' | 'security'>

/**
 * One place that turns what was thrown into an answer (specification: Errors). A ApiError carries
 * its own words; anything else is a defect, logged whole and answered without a detail.
 */
export function handleErrors({ log, security }: ErrorSinks): ErrorHandler {
  return (error, c) => {
    if (error instanceof UnauthorizedError) {
      recordSecurityRefusal(security, c, error.recordedAs)
      c.header('WWW-Authenticate', error.challenge)
      return c.json({ code: 'UNAUTHORIZED', message: 'Unauthorized' }, 401)
    }
    const known = unavailableResponse(error, c, log)
    if (known instanceof ApiError) {
      if (known.recordedAs) recordSecurityRefusal(security, c, known.recordedAs)
      for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
      return c.json(body(c.req.path, known.type, known.message, known.code), known.status)
    }
    log.error({ err: error, request: c.get('requestId') }, 'request failed')
    return c.json(body(c.req.path, 'INTERNAL', 'Internal server error'), 500)
  }
}

const RETRY_SECONDS = 5

/**
 * Returns 503 in place of an error which says that the database cannot be reached or is locked, and
 * every other error as it is. What a request had begun may have been done: the answer is one that was lost, and no verdict.
 */
export function unavailableResponse(error: Error, c: Context, log: Log): Error {
  if (!(error instanceof DatabaseUnreachable)) return error
  // Without its stack, because while it lasts every request says the same.
  log.warn({ error: error.message, request: c.get('requestId') }, 'the database was not reached')
  const fault =
    error instanceof DatabaseLocked ? 'is locked by another process' : 'cannot be reached'
  return new ApiError('UNAVAILABLE', `The database ${fault}; try again in a moment`, {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}

export const handleNotFound: NotFoundHandler = (c) =>
  c.json(body(c.req.path, 'NOT_FOUND', 'Not found'), 404)

/** The strings area answers flat errors, and every other area nested ones. */
const FLAT_AREA = /^\/c\/api\/(instances\/[^/]+\/)?strings(\/|$)/

/** Messages repeat what was sent, and answers are kept: by proxies, in logs, in reports of errors. */
function body(path: string, type: string, said: string, code?: string) {
  const message = withoutCardNumbers(said)
  if (!FLAT_AREA.test(path)) return { error: { type, message } }
  return { code: code ?? (type === 'INVALID_REQUEST' ? 'SVC-7001' : type), message }
}
