import type { Hono } from 'hono'
import { clientInfo } from '../actor-sessions/caller.ts'
import type { User } from '../db/tables/users.ts'
import type { Deps } from '../deps.ts'
import { readForm } from '../http/form.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import type { AppContext } from '../http/router.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { allowMethods } from './error-pages.ts'
import { hasSecondFactor } from './factors/store.ts'
import { acceptInvitation, findInvitedUser } from './invitation.ts'
import { renderPage, seeOther } from './layout.ts'
import { newPasswordError } from './new-password.ts'
import { invitationContent, noticeContent } from './pages.ts'
import { ensurePreSession, findPreSession, startSession } from './sessions.ts'
import { CONSOLE_PATH } from './sign-in-page.ts'
import { startSignInStep } from './sign-in-step.ts'
import { requestTranslator } from './translator.ts'

/**
 * The page of an invitation, at which a user chooses a password. A GET does not consume the link, because
 * mail and chat programs fetch links to preview them.
 */
export function invitationRoutes(app: Hono, deps: Deps): void {
  const path = '/sign-in/invitation/:token'
  const findUser = (token: string) => findInvitedUser(deps.db, token, deps.realNow())

  app.get(path, async (c) => {
    const token = c.req.param('token')
    const user = await findUser(token)
    return user ? renderForm(c, token, user) : rejectLink(c)
  })

  app.post(path, async (c) => {
    const token = c.req.param('token')
    const invited = await findUser(token)
    if (!invited) return rejectLink(c)
    const form = await readForm(c)
    const password = form.get('password') ?? ''
    const translator = requestTranslator(c)
    const purpose = csrfPurpose(token)
    const isGenuine = verifyCsrfToken(findPreSession(deps, c), purpose, form.get('token'))
    if (!isGenuine) recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
    const error = isGenuine
      ? await newPasswordError(translator, password, invited.email)
      : translator.t('sign_in.stale')
    if (error !== undefined) return renderForm(c, token, invited, error)
    const user = await acceptInvitation(deps, token, password, clientInfo(c).ip)
    if (!user) return rejectLink(c)
    // A link replaces the password only, and never the second factor.
    if (await hasSecondFactor(deps.db, user.id)) {
      await startSignInStep(deps, c, user)
      return seeOther(c, `${deps.config.consoleUrl}/sign-in/code`)
    }
    await startSession(deps, c, user, ['PASSWORD'])
    return seeOther(c, `${deps.config.consoleUrl}${CONSOLE_PATH}`)
  })

  allowMethods(app, path, 'GET, POST')

  function rejectLink(c: AppContext) {
    recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.link_gone_title')
    const content = noticeContent(title, translator.t('sign_in.invitation_gone'))
    return renderPage(c, { translator, title, content, status: 410 })
  }

  function renderForm(c: AppContext, token: string, { email }: User, error?: string) {
    const translator = requestTranslator(c)
    const csrfToken = createCsrfToken(ensurePreSession(deps, c), csrfPurpose(token))
    const content = invitationContent(translator, {
      csrfToken,
      email,
      ...(error !== undefined && { error }),
    })
    const title = translator.t('sign_in.invitation_title')
    return renderPage(c, { translator, title, content, status: error === undefined ? 200 : 400 })
  }
}

function csrfPurpose(token: string): string {
  return `invitation ${token}`
}
