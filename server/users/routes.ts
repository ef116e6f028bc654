import { Hono, type MiddlewareHandler } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import { readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import { rejectCrossSite } from '../http/security.ts'
import { TooManyAttempts, verifyPassword } from './verify-password.ts'
import type { Deps } from '../deps.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { seeOther, renderPage } from './layout.ts'
import { codeRoutes } from './code-routes.ts'
import { hasSecondFactor } from './factors/store.ts'
import { auditFailedSignIn } from './audit-sign-in.ts'
import { firstUserRoutes } from './first-user-routes.ts'
import { verifyCsrfToken } from './csrf-token.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { frontPageContent } from './pages.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { pageErrorHandler, allowMethods } from './error-pages.ts'
import { parseReturnTo, signInPath } from './return-to.ts'
import { startSession, endSession, findSession } from './sessions.ts'
import {
  CONSOLE_PATH,
  isSignInToken,
  lockedOut,
  renderSignIn,
  type SignInPages,
} from './sign-in-page.ts'
import { startSignInStep } from './sign-in-step.ts'
import { findActiveUser } from './store.ts'
import { type Translator, requestTranslator } from './translator.ts'

export interface SignInOptions extends SignInPages {
  rateLimit: MiddlewareHandler
}

const FORMS = [
  '/sign-in',
  '/sign-in/first/:token',
  '/sign-in/invitation/:token',
  '/sign-in/code',
  '/sign-in/passkey',
  '/sign-in/passkey/options',
  '/sign-out',
]

/** `/`, `/sign-in` with the pages below it, and `/sign-out`. */
export function userRoutes(deps: Deps, { rateLimit, ...pages }: SignInOptions): Hono {
  const app = new Hono()
  const absolute = (path: string) => `${deps.config.consoleUrl}${path}`
  app.onError(pageErrorHandler(deps))
  app.on('ALL', ['/', '/sign-in/*', '/sign-out'], rateLimit)
  // Prevents login CSRF: another site could otherwise sign its visitor in as another user.
  app.on('POST', FORMS, rejectCrossSite)

  app.get('/sign-in', async (c) => {
    const returnTo = parseReturnTo(c.req.query('return'))
    const session = await findSession(deps, c)
    if (!session) return renderSignIn(deps, c, pages, { returnTo })
    return seeOther(c, absolute(returnTo ?? CONSOLE_PATH))
  })

  app.post('/sign-in', async (c) => {
    const returnTo = parseReturnTo(c.req.query('return'))
    const form = await readForm(c)
    if (!isSignInToken(deps, c, { returnTo, token: form.get('token') })) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      const error = { error: ({ t }: Translator) => t('sign_in.stale'), status: 403 } as const
      return renderSignIn(deps, c, pages, { returnTo, form, ...error })
    }
    const email = (form.get('email') ?? '').trim()
    try {
      const user = await verifyPassword(deps, {
        email,
        password: form.get('password') ?? '',
        address: clientInfo(c).ip,
      })
      if (user && (await hasSecondFactor(deps.db, user.id))) {
        await startSignInStep(deps, c, user)
        return seeOther(c, absolute(signInPath(returnTo, '/sign-in/code')))
      }
      if (!user || !(await startSession(deps, c, user, ['PASSWORD']))) {
        recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
        auditFailedSignIn(deps, c, user ?? (await findActiveUser(deps.db, email)), 'PASSWORD')
        const error = ({ t }: Translator) => t('sign_in.wrong')
        return await renderSignIn(deps, c, pages, { returnTo, form, error })
      }
      return seeOther(c, absolute(returnTo ?? CONSOLE_PATH))
    } catch (thrown) {
      if (!(thrown instanceof TooManyAttempts)) throw thrown
      const error = lockedOut(c, thrown, 'sign_in.wait')
      return renderSignIn(deps, c, pages, { returnTo, form, error, status: 429 })
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
  invitationRoutes(app, deps)
  codeRoutes(app, deps, pages)
  passkeyRoutes(app, deps, pages)
  allowMethods(app, '/', 'GET')
  allowMethods(app, '/sign-in', 'GET, POST')
  allowMethods(app, '/sign-out', 'POST')
  return app
}
