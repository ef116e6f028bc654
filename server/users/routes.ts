import { Hono } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import type { AppContext, AppEnv } from '../http/router.ts'
import { rejectCrossSite } from '../http/security.ts'
import { TooManyAttempts, verifyPassword } from './verify-password.ts'
import type { Deps } from '../deps.ts'
import { rateLimitPayers } from '../http/rate-limit.ts'
import { recordSecurityRefusal } from '../observe/record-refusal.ts'
import { seeOther, renderPage } from './layout.ts'
import { firstUserRoutes } from './first-user-routes.ts'
import { frontPageRoutes } from './front-page.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { signInContent, signedInContent } from './pages.ts'
import { pageErrorHandler, allowMethods } from './error-pages.ts'
import { parseReturnTo, signInPath } from './return-to.ts'
import {
  startSession,
  endSession,
  ensurePreSession,
  findSession,
  findPreSession,
} from './sessions.ts'
import { signOutForm } from './sign-out-form.ts'
import { formatWait } from './format-time.ts'
import { type Translator, requestTranslator } from './translator.ts'

/** Signing in and out (contract section 22; safety section 1, rule 10). */

/** What the sign-in page asks of those who send people to it. */
export interface SignInOptions {
  /** The name of the platform that a way back belongs to. */
  clientName: (returnPath: string) => Promise<string | undefined>
}

export function userRoutes(deps: Deps, surroundings: SignInOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const here = (path: string) => `${deps.config.baseUrl}${path}`
  app.onError(pageErrorHandler(deps))
  app.on('ALL', ['/', '/sign-in/*', '/sign-out'], rateLimitPayers(deps))
  // Where another site could send a form, it could sign somebody in as somebody else.
  app.on('POST', ['/sign-in', '/sign-in/first/:token', '/sign-out'], rejectCrossSite)

  app.get('/sign-in', async (c) => {
    const back = parseReturnTo(c.req.query('return'))
    const session = await findSession(deps, c)
    if (!session) return showSignIn(c, { back })
    if (back !== undefined) return seeOther(c, here(back))
    const translator = requestTranslator(c)
    const view = { email: session.user.email, signOut: signOutForm(session, undefined) }
    const content = signedInContent(translator, view)
    return renderPage(c, { translator, title: translator.t('sign_in.title'), content })
  })

  app.post('/sign-in', async (c) => {
    const back = parseReturnTo(c.req.query('return'))
    const form = await readForm(c)
    if (!verifyCsrfToken(findPreSession(deps, c), purposeOf(back), form.get('token'))) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      return showSignIn(c, { back, form, problem: ({ t }) => t('sign_in.stale'), status: 403 })
    }
    try {
      const user = await verifyPassword(deps, { ...credentialsOf(form), address: clientInfo(c).ip })
      if (!user || !(await startSession(deps, c, user))) {
        recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
        return await showSignIn(c, { back, form, problem: ({ t }) => t('sign_in.wrong') })
      }
      return seeOther(c, here(back ?? '/sign-in'))
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error
      const { waitMs } = error
      c.header('Retry-After', String(Math.ceil(waitMs / 1000)))
      const problem = (translator: Translator) =>
        translator.t('sign_in.wait', { time: formatWait(translator, waitMs) })
      return showSignIn(c, { back, form, problem, status: 429 })
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
    return seeOther(c, here(signInPath(parseReturnTo(c.req.query('return')))))
  })

  frontPageRoutes(app)
  firstUserRoutes(app, deps)
  allowMethods(app, '/sign-in', 'GET, POST')
  allowMethods(app, '/sign-out', 'POST')
  return app

  async function showSignIn(
    c: AppContext,
    view: {
      back: string | undefined
      form?: Form
      problem?: (translator: Translator) => string
      status?: 403 | 429
    },
  ): Promise<Response> {
    const { back, form, problem } = view
    const translator = requestTranslator(c, languageAsked(c, back))
    const content = signInContent(translator, {
      token: createCsrfToken(ensurePreSession(deps, c), purposeOf(back)),
      client: back === undefined ? undefined : await surroundings.clientName(back),
      ...(form ? { email: form.get('email') ?? '' } : {}),
      ...(problem ? { problem: problem(translator) } : {}),
    })
    const status = view.status ?? (problem ? 400 : 200)
    return renderPage(c, { translator, title: translator.t('sign_in.title'), content, status })
  }
}

function credentialsOf(form: Form): { email: string; password: string } {
  return { email: (form.get('email') ?? '').trim(), password: form.get('password') ?? '' }
}

/** A form is good for the way back that it was shown for, and for no other. */
function purposeOf(back: string | undefined): string {
  return `sign-in ${back ?? ''}`
}

/** A platform that asks in a language is answered in it on every page of the way. */
function languageAsked(c: AppContext, back: string | undefined): string | undefined {
  return c.req.query('lang') ?? new URLSearchParams(back?.split('?')[1]).get('lang') ?? undefined
}
