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
      c.header('WWW-Authenticate', 'Basic realm="Checkstand", charset="UTF-8"')
      return c.json({ code: 'UNAUTHORIZED', message: 'Unauthorised' }, 401)
    }
    if (error instanceof Refusal) {
      return c.json({ error: { type: error.type, message: error.message } }, error.status)
    }
    log.error({ err: error, request: c.get('requestId') }, 'request failed')
    return c.json({ error: { type: 'INTERNAL', message: 'Internal server error' } }, 500)
  }
}

export const answerNotFound: NotFoundHandler<AppEnv> = (c) =>
  c.json({ error: { type: 'NOT_FOUND', message: 'Not found' } }, 404)
