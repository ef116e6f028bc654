import type { ErrorHandler, Hono } from 'hono'
import { ApiError } from '../errors.ts'
import { type ErrorSinks, unavailableResponse } from '../http/error-handler.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { renderPage } from './layout.ts'
import { noticeContent } from './pages.ts'
import { requestTranslator } from './translator.ts'

/** Returns an error handler that responds with HTML instead of the API's JSON. */
export function pageErrorHandler({ log, security }: ErrorSinks): ErrorHandler {
  return (thrown, c) => {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.failed')
    const error = unavailableResponse(thrown, c, log)
    if (error instanceof ApiError) {
      if (error.recordedAs) recordSecurityRefusal(security, c, error.recordedAs)
      for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
      const content = noticeContent(title, undefined, error.message)
      return renderPage(c, { translator, title, content, status: error.status })
    }
    log.error({ err: thrown, request: c.get('requestId') }, 'request failed')
    return renderPage(c, { translator, title, content: noticeContent(title), status: 500 })
  }
}

/** Responds with 405 to all other methods of a path. Call it after the path's routes. */
export function allowMethods(app: Hono, path: string, allowed: string): void {
  app.all(path, (c) => {
    throw new ApiError('METHOD_NOT_ALLOWED', `${c.req.method} is not allowed here`, {
      headers: { Allow: allowed },
    })
  })
}
