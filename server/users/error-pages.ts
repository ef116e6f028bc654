import type { ErrorHandler, Hono } from 'hono'
import { ApiError } from '../errors.ts'
import { type ErrorSinks, unavailableResponse } from '../http/error-handler.ts'
import type { AppEnv } from '../http/router.ts'
import { recordSecurityRefusal } from '../observe/record-refusal.ts'
import { renderPage } from './layout.ts'
import { noticeContent } from './pages.ts'
import { requestTranslator } from './translator.ts'

/** Errors as pages, for addresses that people open; everywhere else they are JSON. */
export function pageErrorHandler({ log, security }: ErrorSinks): ErrorHandler<AppEnv> {
  return (error, c) => {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.failed')
    const known = unavailableResponse(error, c, log)
    if (known instanceof ApiError) {
      if (known.recordedAs) recordSecurityRefusal(security, c, known.recordedAs)
      for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
      const content = noticeContent(title, undefined, known.message)
      return renderPage(c, { translator, title, content, status: known.status })
    }
    log.error({ err: error, request: c.get('requestId') }, 'request failed')
    return renderPage(c, { translator, title, content: noticeContent(title), status: 500 })
  }
}

/** Answers 405 for every other method of a path; called after its routes. */
export function allowMethods(app: Hono<AppEnv>, path: string, allowed: string): void {
  app.all(path, (c) => {
    throw new ApiError('METHOD_NOT_ALLOWED', `${c.req.method} is not allowed here`, {
      headers: { Allow: allowed },
    })
  })
}
