import { Hono } from 'hono'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import type { Deps } from '../deps.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import type { AppContext, AppEnv } from '../http/router.ts'
import { rejectCrossSite } from '../http/security.ts'
import { rateLimitPayers } from '../http/rate-limit.ts'
import { recordSecurityRefusal } from '../observe/record-refusal.ts'
import { seeOther, renderPage } from '../users/layout.ts'
import { createCsrfToken, verifyCsrfToken } from '../users/csrf-token.ts'
import { noticeContent } from '../users/pages.ts'
import { pageErrorHandler, allowMethods } from '../users/error-pages.ts'
import { signInPath } from '../users/return-to.ts'
import { findSession, type UserSession } from '../users/sessions.ts'
import { signOutForm } from '../users/sign-out-form.ts'
import { listActiveInstances } from '../users/store.ts'
import { requestTranslator } from '../users/translator.ts'
import {
  issueAuthorizationCode,
  accessDeniedResponse,
  errorResponse,
} from './authorization-response.ts'
import { consentContent } from './consent-page.ts'
import { refreshTokenLifetimeMs } from './issue-tokens.ts'
import { registeredRedirectUrls } from './redirect-uri.ts'
import { type AuthorizationRequest, parseAuthorizationRequest } from './authorization-request.ts'

/**
 * `/oauth/authorize` (specification: OAuth endpoints; RFC 6749 section 4.1): the request, the
 * sign-in it may need, the question to the merchant, and the way back to the platform.
 */
export function authorizeRoutes(deps: Deps): Hono<AppEnv> {
  const path = '/oauth/authorize'
  const app = new Hono<AppEnv>()
  const answerOther = pageErrorHandler(deps)
  app.all(path, rateLimitPayers(deps))
  app.onError((error, c) => {
    if (!(error instanceof ApiError) || error.type !== 'INVALID_REQUEST') {
      return answerOther(error, c)
    }
    if (error.recordedAs) recordSecurityRefusal(deps.security, c, error.recordedAs)
    return showProblem(c, error)
  })
  app.on('POST', path, rejectCrossSite)

  app.get(path, async (c) => {
    const request = await parseAuthorizationRequest(deps.db, queryOf(c))
    c.set('oauthClient', request.client.id)
    if (request.error) return seeOther(c, errorResponse(request, request.error))
    const session = await findSession(deps, c)
    return session ? ask(c, request, session) : toSignIn(c)
  })

  app.post(path, async (c) => {
    const request = await parseAuthorizationRequest(deps.db, queryOf(c))
    c.set('oauthClient', request.client.id)
    if (request.error) return seeOther(c, errorResponse(request, request.error))
    const session = await findSession(deps, c)
    if (!session) return toSignIn(c)
    const form = await readForm(c)
    if (!verifyCsrfToken(session.secret, purposeOf(c), form.get('token'))) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      return ask(c, request, session, { form, stale: true })
    }
    if (form.get('decision') === 'deny') {
      recordSecurityRefusal(deps.security, c, { event: 'consent_denied' })
      return seeOther(c, accessDeniedResponse(request))
    }
    if (form.get('decision') !== 'approve') return ask(c, request, session)
    const instances = await listActiveInstances(deps.db, session.user.merchant_id)
    const chosen = instances.find(({ key }) => key === form.get('instance'))
    const by = chosen && { user: session.user, instanceId: chosen.id }
    const approved = by && (await issueAuthorizationCode(deps, request, by))
    if (approved !== undefined) return seeOther(c, approved)
    return (await findSession(deps, c)) ? ask(c, request, session, { form }) : toSignIn(c)
  })

  allowMethods(app, path, 'GET, POST')
  return app

  /** Shown every time, whatever was approved before: a redirect alone must never be enough. */
  async function ask(
    c: AppContext,
    request: AuthorizationRequest,
    session: UserSession,
    /** A form that was not good: out of date, or without a choice. */
    sent?: { form: Form; stale?: boolean },
  ): Promise<Response> {
    const translator = requestTranslator(c)
    const content = consentContent(translator, {
      token: createCsrfToken(session.secret, purposeOf(c)),
      client: request.client.name,
      host: new URL(request.redirectUrl).host,
      scopes: request.scopes,
      instances: await listActiveInstances(deps.db, session.user.merchant_id),
      selected: sent?.form.get('instance'),
      isSelectionMissing: sent !== undefined && !sent.stale,
      expires: deps.now() + refreshTokenLifetimeMs(deps.config),
      email: session.user.email,
      signOut: signOutForm(session, backTo(c)),
      ...(sent?.stale ? { problem: translator.t('sign_in.stale') } : {}),
    })
    return renderPage(c, {
      translator,
      title: translator.t('authorize.title', { client: request.client.name }),
      content,
      formEndsAt: originsOf(request),
      status: sent === undefined ? 200 : sent.stale ? 403 : 400,
    })
  }

  function toSignIn(c: AppContext): Response {
    return seeOther(c, `${deps.config.baseUrl}${signInPath(backTo(c))}`)
  }
}

/**
 * Where the form may end: where this request is answered, and at the client's other addresses,
 * because a callback may send the merchant on from one of its hosts to another.
 */
function originsOf({ redirectUrl, client }: AuthorizationRequest): string[] {
  const urls = [redirectUrl, ...registeredRedirectUrls(client)]
  return [...new Set(urls.flatMap((url) => plainOrigin(url) ?? []))]
}

/** The query as it came: what is signed, compared and come back to is every byte of it. */
function queryOf(c: AppContext): string {
  const { url } = c.req
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}

function backTo(c: AppContext): string {
  return `/oauth/authorize?${queryOf(c)}`
}

/** An approval is for this very request: another query needs another token. */
function purposeOf(c: AppContext): string {
  return `authorize ${queryOf(c)}`
}

/** A request that cannot be answered to anybody: its sender has to mend it. */
function showProblem(c: AppContext, { message }: ApiError): Response | Promise<Response> {
  const translator = requestTranslator(c)
  const title = translator.t('authorize.problem_title')
  const content = noticeContent(title, translator.t('authorize.problem'), message)
  return renderPage(c, { translator, title, content, status: 400 })
}
