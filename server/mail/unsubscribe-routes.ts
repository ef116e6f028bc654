import { Hono, type MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import type { AccountRow } from '../accounts/store.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'
import { pageTheme } from '../pay-page/theme.ts'
import { allowMethods, pageErrorHandler } from '../users/error-pages.ts'
import { renderPage } from '../users/layout.ts'
import { noticeContent } from '../users/pages.ts'
import { requestTranslator } from '../users/translator.ts'
import { accountLocale } from './payer-locale.ts'
import { findRecipient, type Recipient, setMailNotices } from './unsubscribe.ts'
import { type MailWording, mailWording } from './wording.ts'

const PATH = '/unsubscribe/:token'
const RESUME_PATH = `${PATH}/resume`

/**
 * The page at which a customer refuses notices. A GET changes nothing, because mail scanners follow links.
 * A POST needs no form: mail programs send one of their own (RFC 8058), from anywhere and in any format.
 */
export function unsubscribeRoutes(deps: Deps, rateLimit: MiddlewareHandler): Hono {
  const app = new Hono()
  app.onError(pageErrorHandler(deps))
  app.on('ALL', [PATH, RESUME_PATH], rateLimit)

  app.get(PATH, async (c) => {
    const recipient = await recipientOf(c)
    return recipient ? renderChoice(c, recipient, recipient.account) : rejectLink(c)
  })

  app.post(PATH, (c) => change(c, false))
  app.post(RESUME_PATH, (c) => change(c, true))

  allowMethods(app, PATH, 'GET, POST')
  allowMethods(app, RESUME_PATH, 'POST')
  return app

  function recipientOf(c: AppContext): Promise<Recipient | undefined> {
    return findRecipient(deps, c.req.param('token') ?? '')
  }

  function rejectLink(c: AppContext) {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.link_gone_title')
    const content = noticeContent(title, translator.t('status.unavailable'))
    return renderPage(c, { translator, title, content, status: 404 })
  }

  async function change(c: AppContext, isWanted: boolean): Promise<Response> {
    const recipient = await recipientOf(c)
    if (!recipient) return rejectLink(c)
    const account = await setMailNotices(deps, recipient, isWanted, clientInfo(c))
    return renderChoice(c, recipient, account)
  }

  async function renderChoice(
    c: AppContext,
    { instance }: Recipient,
    account: AccountRow,
  ): Promise<Response> {
    const locale = await accountLocale(deps.db, instance, account.id)
    const wording = await mailWording(deps, instance, locale)
    return renderPage(c, {
      translator: wording,
      title: wording.t('email.notices_title'),
      content: choiceContent(wording, account, c.req.param('token') ?? ''),
      brand: { name: wording.merchant, css: pageTheme(instance, locale.branding).css },
    })
  }
}

function choiceContent({ t, merchant }: MailWording, account: AccountRow, token: string) {
  const path = `/unsubscribe/${token}`
  const isRefused = account.mail_notices === 0
  const [text, button, action] = isRefused
    ? (['email.notices_refused', 'email.notices_resume', `${path}/resume`] as const)
    : (['email.notices_question', 'email.notices_refuse', path] as const)
  return html`<h1>${t('email.notices_title')}</h1>
    <p class="lead" role="status">${t(text, { merchant })}</p>
    ${
      account.anonymised === null
        ? html`<form method="post" action="${action}">
            <button class="button${isRefused ? ' quiet' : ''}">${t(button)}</button>
          </form>`
        : ''
    }`
}
