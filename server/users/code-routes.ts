import type { Hono } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { readForm } from '../http/form.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import type { AppContext } from '../http/router.ts'
import { auditFailedSignIn } from './audit-sign-in.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { allowMethods } from './error-pages.ts'
import { listPasskeys } from './factors/store.ts'
import { verifyCode } from './factors/verify-code.ts'
import { renderPage, seeOther } from './layout.ts'
import { codeContent } from './pages.ts'
import { parseReturnTo, signInPath } from './return-to.ts'
import { startSession } from './sessions.ts'
import {
  CONSOLE_PATH,
  lockedOut,
  passkeyPaths,
  requestedLanguage,
  type SignInPages,
  signInToken,
} from './sign-in-page.ts'
import { endStep, findStep, type SignInStep } from './sign-in-step.ts'
import { type Translator, requestTranslator } from './translator.ts'
import { TooManyAttempts } from './verify-password.ts'

const PATH = '/sign-in/code'

/** The second factor, after the password. Without it there is no session. */
export function codeRoutes(app: Hono, deps: Deps, { script }: SignInPages): void {
  const absolute = (path: string) => `${deps.config.consoleUrl}${path}`

  app.get(PATH, async (c) => {
    const step = await findStep(deps, c)
    return step ? renderCode(c, step, {}) : backToPassword(c)
  })

  app.post(PATH, async (c) => {
    const step = await findStep(deps, c)
    if (!step) return backToPassword(c)
    const form = await readForm(c)
    if (!verifyCsrfToken(step.secret, PATH, form.get('token'))) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      return renderCode(c, step, { error: ({ t }) => t('sign_in.stale'), status: 403 })
    }
    try {
      const kind = await verifyCode(deps, {
        userId: step.user.id,
        typed: form.get('code') ?? '',
        address: clientInfo(c).ip,
      })
      if (!kind) {
        recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
        auditFailedSignIn(deps, c, step.user, 'CODE')
        return await renderCode(c, step, { error: ({ t }) => t('sign_in.code_wrong') })
      }
      await endStep(deps, c, step)
      // The password may have been changed since it was given.
      if (!(await startSession(deps, c, step.user, ['PASSWORD', kind]))) return backToPassword(c)
      return seeOther(c, absolute(parseReturnTo(c.req.query('return')) ?? CONSOLE_PATH))
    } catch (thrown) {
      if (!(thrown instanceof TooManyAttempts)) throw thrown
      return renderCode(c, step, {
        error: lockedOut(c, thrown, 'sign_in.code_wait'),
        status: 429,
      })
    }
  })

  allowMethods(app, PATH, 'GET, POST')

  function backToPassword(c: AppContext): Response {
    return seeOther(c, absolute(signInPath(parseReturnTo(c.req.query('return')))))
  }

  async function renderCode(
    c: AppContext,
    { user, secret }: SignInStep,
    view: { error?: (translator: Translator) => string; status?: 403 | 429 },
  ): Promise<Response> {
    const returnTo = parseReturnTo(c.req.query('return'))
    const translator = requestTranslator(c, requestedLanguage(c, returnTo))
    const hasPasskey = (await listPasskeys(deps.db, user.id)).length > 0
    const content = codeContent(translator, {
      csrfToken: createCsrfToken(secret, PATH),
      passkey: hasPasskey ? passkeyPaths(signInToken(deps, c, returnTo), returnTo) : undefined,
      ...(view.error ? { error: view.error(translator) } : {}),
    })
    return renderPage(c, {
      translator,
      title: translator.t('sign_in.code_title'),
      content,
      status: view.status ?? (view.error ? 400 : 200),
      script: script(),
    })
  }
}
