import type { Hono } from 'hono'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { readForm } from '../http/form.ts'
import type { AppContext, AppEnv } from '../http/router.ts'
import { recordSecurityRefusal } from '../observe/record-refusal.ts'
import { seeOther, renderPage } from './layout.ts'
import { createFirstUser } from './first-user.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { firstUserContent, noticeContent } from './pages.ts'
import { PASSWORD_LENGTH_MIN, emailError, passwordError } from '../auth/credential-rules.ts'
import { allowMethods } from './error-pages.ts'
import { startSession, ensurePreSession, findPreSession } from './sessions.ts'
import { isFirstUserLinkOpen } from './store.ts'
import { type Translator, requestTranslator } from './translator.ts'

/**
 * The page behind the link that a new server prints. Opening it uses nothing up, so that a preview
 * in a chat does not take the link away.
 */
export function firstUserRoutes(app: Hono<AppEnv>, deps: Deps): void {
  const path = '/sign-in/first/:token'

  app.get(path, async (c) => {
    const token = c.req.param('token')
    return (await isOpen(token)) ? showForm(c, token, {}) : refuseLink(c)
  })

  app.post(path, async (c) => {
    const token = c.req.param('token')
    if (!(await isOpen(token))) return refuseLink(c)
    const form = await readForm(c)
    const email = (form.get('email') ?? '').trim()
    const password = form.get('password') ?? ''
    const translator = requestTranslator(c)
    const ours = verifyCsrfToken(findPreSession(deps, c), purposeOf(token), form.get('token'))
    const problem = ours
      ? await problemOf(translator, email, password)
      : translator.t('sign_in.stale')
    if (!ours) recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
    if (problem !== undefined) return showForm(c, token, { email, problem })
    const user = await createFirstUser(deps, token, { email, password })
    if (!user) return refuseLink(c)
    await startSession(deps, c, user)
    return seeOther(c, `${deps.config.baseUrl}/sign-in`)
  })

  allowMethods(app, path, 'GET, POST')

  function isOpen(token: string): Promise<boolean> {
    return isFirstUserLinkOpen(deps.db, hashSecret(token), formatInstant(deps.now()))
  }

  function refuseLink(c: AppContext) {
    recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
    return showGone(c)
  }

  function showForm(c: AppContext, token: string, view: { email?: string; problem?: string }) {
    const translator = requestTranslator(c)
    const field = createCsrfToken(ensurePreSession(deps, c), purposeOf(token))
    const content = firstUserContent(translator, { token: field, ...view })
    const status = view.problem === undefined ? 200 : 400
    return renderPage(c, {
      translator,
      title: translator.t('sign_in.first_title'),
      content,
      status,
    })
  }
}

function showGone(c: AppContext) {
  const translator = requestTranslator(c)
  const title = translator.t('sign_in.link_gone_title')
  const content = noticeContent(title, translator.t('sign_in.link_gone'))
  return renderPage(c, { translator, title, content, status: 410 })
}

async function problemOf(
  { t }: Translator,
  email: string,
  password: string,
): Promise<string | undefined> {
  if (emailError(email) !== null) return t('details.email_invalid')
  const problem = await passwordError(password, email)
  if (problem === null) return undefined
  return problem.kind === 'GUESSABLE'
    ? t('sign_in.password_guessable')
    : t('sign_in.password_rule', { minimum: PASSWORD_LENGTH_MIN })
}

function purposeOf(token: string): string {
  return `first ${token}`
}
