import type { Hono } from 'hono'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { readForm } from '../http/form.ts'
import type { AppContext } from '../http/router.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { seeOther, renderPage } from './layout.ts'
import { createFirstUser } from './first-user.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { firstUserContent, noticeContent } from './pages.ts'
import { emailError } from '../auth/credential-rules.ts'
import { newPasswordError } from './new-password.ts'
import { allowMethods } from './error-pages.ts'
import { startSession, ensurePreSession, findPreSession } from './sessions.ts'
import { isFirstUserLinkOpen } from './store.ts'
import { type Translator, requestTranslator } from './translator.ts'

/**
 * The page of the one-time link that a new server prints. A GET does not consume the link, because
 * chat programs fetch links to preview them.
 */
export function firstUserRoutes(app: Hono, deps: Deps): void {
  const path = '/sign-in/first/:token'

  app.get(path, async (c) => {
    const token = c.req.param('token')
    return (await isOpen(token)) ? renderForm(c, token, {}) : rejectLink(c)
  })

  app.post(path, async (c) => {
    const token = c.req.param('token')
    if (!(await isOpen(token))) return rejectLink(c)
    const form = await readForm(c)
    const email = (form.get('email') ?? '').trim()
    const password = form.get('password') ?? ''
    const translator = requestTranslator(c)
    const isGenuine = verifyCsrfToken(
      findPreSession(deps, c),
      csrfPurpose(token),
      form.get('token'),
    )
    const error = isGenuine
      ? await credentialsError(translator, email, password)
      : translator.t('sign_in.stale')
    if (!isGenuine) recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
    if (error !== undefined) return renderForm(c, token, { email, error })
    const user = await createFirstUser(deps, token, { email, password })
    if (!user) return rejectLink(c)
    await startSession(deps, c, user, ['PASSWORD'])
    return seeOther(c, `${deps.config.consoleUrl}/console/start`)
  })

  allowMethods(app, path, 'GET, POST')

  function isOpen(token: string): Promise<boolean> {
    return isFirstUserLinkOpen(deps.db, hashSecret(token), formatInstant(deps.now()))
  }

  function rejectLink(c: AppContext) {
    recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.link_gone_title')
    const content = noticeContent(title, translator.t('sign_in.link_gone'))
    return renderPage(c, { translator, title, content, status: 410 })
  }

  function renderForm(c: AppContext, token: string, view: { email?: string; error?: string }) {
    const translator = requestTranslator(c)
    const csrfToken = createCsrfToken(ensurePreSession(deps, c), csrfPurpose(token))
    const content = firstUserContent(translator, { csrfToken, ...view })
    const status = view.error === undefined ? 200 : 400
    return renderPage(c, {
      translator,
      title: translator.t('sign_in.first_title'),
      content,
      status,
    })
  }
}

async function credentialsError(
  { t }: Translator,
  email: string,
  password: string,
): Promise<string | undefined> {
  if (emailError(email) !== null) return t('details.email_invalid')
  return newPasswordError({ t }, password, email)
}

function csrfPurpose(token: string): string {
  return `first ${token}`
}
