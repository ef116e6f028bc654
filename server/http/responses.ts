import type { ErrorHandler, NotFoundHandler } from 'hono'
import type { Log } from '../observe/log.ts'
import { Refusal, Unauthorised } from './refusal.ts'
import type { AppEnv } from './router.ts'

/**
 * One place that turns what was thrown into an answer (specification: Errors). A Refusal carries
 * its own words; anything else is a defect, logged whole and answered without a detail.
 */
export function answerErrors(log: Log): ErrorHandler<AppEnv> {
  return (error, c) => {
    if (error instanceof Unauthorised) {
      c.header('WWW-Authenticate', error.challenge)
      return c.json({ code: 'UNAUTHORIZED', message: 'Unauthorised' }, 401)
    }
    if (error instanceof Refusal) {
      for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
      return c.json(body(c.req.path, error.type, error.message, error.code), error.status)
    }
    log.error({ err: error, request: c.get('requestId') }, 'request failed')
    return c.json(body(c.req.path, 'INTERNAL', 'Internal server error'), 500)
  }
}

export const answerNotFound: NotFoundHandler<AppEnv> = (c) =>
  c.json(body(c.req.path, 'NOT_FOUND', 'Not found'), 404)

/** The strings area answers flat errors, and every other area nested ones. */
const FLAT_AREA = /^\/c\/api\/(instances\/[^/]+\/)?strings(\/|$)/

function body(path: string, type: string, message: string, code?: string) {
  if (!FLAT_AREA.test(path)) return { error: { type, message } }
  return { code: code ?? (type === 'INVALID_REQUEST' ? 'SVC-7001' : type), message }
}
