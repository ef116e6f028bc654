import { Hono, type MiddlewareHandler } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import type { AppContext } from '../http/router.ts'
import { rejectCrossSite } from '../http/security.ts'
import { TooManyAttempts, verifyPassword } from './verify-password.ts'
import type { Deps } from '../deps.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { seeOther, renderPage } from './layout.ts'
import { firstUserRoutes } from './first-user-routes.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { frontPageContent, signInContent } from './pages.ts'
import { pageErrorHandler, allowMethods } from './error-pages.ts'
import { parseReturnTo, signInPath } from './return-to.ts'
import {
  startSession,
  endSession,
  ensurePreSession,
  findSession,
  findPreSession,
} from './sessions.ts'
import { formatWait } from './format-time.ts'
import { type Translator, requestTranslator } from './translator.ts'

const CONSOLE_PATH = '/console'

export interface SignInOptions {
  /** Finds the name of the platform that sent the authorization request at this path. */
  findClientName: (returnTo: string) => Promise<string | undefined>
  rateLimit: MiddlewareHandler
}

/** `/`, `/sign-in` and `/sign-out`. */
export function userRoutes(deps: Deps, { findClientName, rateLimit }: SignInOptions): Hono {
  const app = new Hono()
  const absolute = (path: string) => `${deps.config.baseUrl}${path}`
  app.onError(pageErrorHandler(deps))
  app.on('ALL', ['/', '/sign-in/*', '/sign-out'], rateLimit)
  // Prevents login CSRF: another site could otherwise sign its visitor in as another user.
  app.on('POST', ['/sign-in', '/sign-in/first/:token', '/sign-out'], rejectCrossSite)

  app.get('/sign-in', async (c) => {
    const returnTo = parseReturnTo(c.req.query('return'))
    const session = await findSession(deps, c)
    if (!session) return renderSignIn(c, { returnTo })
    return seeOther(c, absolute(returnTo ?? CONSOLE_PATH))
  })

  app.post('/sign-in', async (c) => {
    const returnTo = parseReturnTo(c.req.query('return'))
    const form = await readForm(c)
    if (!verifyCsrfToken(findPreSession(deps, c), csrfPurpose(returnTo), form.get('token'))) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      return renderSignIn(c, { returnTo, form, error: ({ t }) => t('sign_in.stale'), status: 403 })
    }
    try {
      const user = await verifyPassword(deps, {
        email: (form.get('email') ?? '').trim(),
        password: form.get('password') ?? '',
        address: clientInfo(c).ip,
      })
      if (!user || !(await startSession(deps, c, user))) {
        recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
        return await renderSignIn(c, { returnTo, form, error: ({ t }) => t('sign_in.wrong') })
      }
      return seeOther(c, absolute(returnTo ?? CONSOLE_PATH))
    } catch (thrown) {
      if (!(thrown instanceof TooManyAttempts)) throw thrown
      const { waitMs } = thrown
      c.header('Retry-After', String(Math.ceil(waitMs / 1000)))
      const error = (translator: Translator) =>
        translator.t('sign_in.wait', { time: formatWait(translator, waitMs) })
      return renderSignIn(c, { returnTo, form, error, status: 429 })
    }
  })

  app.post('/sign-out', async (c) => {
    const session = await findSession(deps, c)
    const form = await readForm(c)
    if (session && !verifyCsrfToken(session.secret, 'sign-out', form.get('token'))) {
      throw new ApiError('FORBIDDEN', 'This form is no longer valid', {
        recordedAs: { event: 'form_refused' },
      })
    }
    if (session) await endSession(deps, c, session)
    return seeOther(c, absolute(signInPath(parseReturnTo(c.req.query('return')))))
  })

  // Points payers, merchants and developers to their pages.
  app.get('/', (c) => {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.front_title')
    return renderPage(c, { translator, title, content: frontPageContent(translator) })
  })

  firstUserRoutes(app, deps)
  allowMethods(app, '/', 'GET')
  allowMethods(app, '/sign-in', 'GET, POST')
  allowMethods(app, '/sign-out', 'POST')
  return app

  async function renderSignIn(
    c: AppContext,
    view: {
      returnTo: string | undefined
      form?: Form
      error?: (translator: Translator) => string
      status?: 403 | 429
    },
  ): Promise<Response> {
    const { returnTo, form, error } = view
    const translator = requestTranslator(c, requestedLanguage(c, returnTo))
    const content = signInContent(translator, {
      csrfToken: createCsrfToken(ensurePreSession(deps, c), csrfPurpose(returnTo)),
      client: returnTo === undefined ? undefined : await findClientName(returnTo),
      ...(form ? { email: form.get('email') ?? '' } : {}),
      ...(error ? { error: error(translator) } : {}),
    })
    const status = view.status ?? (error ? 400 : 200)
    return renderPage(c, { translator, title: translator.t('sign_in.title'), content, status })
  }
}

/** A form is valid only for the path to return to that it was rendered with. */
function csrfPurpose(returnTo: string | undefined): string {
  return `sign-in ${returnTo ?? ''}`
}

/** The `lang` of this request, else the one of the authorization request that led here. */
function requestedLanguage(c: AppContext, returnTo: string | undefined): string | undefined {
  return (
    c.req.query('lang') ?? new URLSearchParams(returnTo?.split('?')[1]).get('lang') ?? undefined
  )
}
