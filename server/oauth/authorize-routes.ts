import { Hono, type MiddlewareHandler } from 'hono'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { userActor } from '../actor-sessions/caller.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { type Form, readForm } from '../http/form.ts'
import { ApiError } from '../errors.ts'
import type { AppContext } from '../http/router.ts'
import { rejectCrossSite } from '../http/security.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import { seeOther, renderPage } from '../users/layout.ts'
import { createCsrfToken, verifyCsrfToken } from '../users/csrf-token.ts'
import { noticeContent } from '../users/pages.ts'
import { pageErrorHandler, allowMethods } from '../users/error-pages.ts'
import { canSeeInstance } from '../users/can-see-instance.ts'
import { hasUsedSecondFactor, requiresSecondFactor } from '../users/second-factor-policy.ts'
import { signInPath } from '../users/return-to.ts'
import { findSession, type UserSession } from '../users/sessions.ts'
import { signOutForm } from '../users/sign-out-form.ts'
import { requestTranslator } from '../users/translator.ts'
import { errorResponse, issueAuthorizationCode } from './authorization-response.ts'
import { consentContent } from './consent-page.ts'
import { refreshTokenLifetimeMs } from './issue-tokens.ts'
import { registeredRedirectUrls } from './redirect-uri.ts'
import { type AuthorizationRequest, parseAuthorizationRequest } from './authorization-request.ts'
import { listMerchantInstances } from '../instances/store.ts'

/** `/oauth/authorize`, the authorization endpoint (RFC 6749 section 3.1). */
export function authorizeRoutes(deps: Deps, rateLimit: MiddlewareHandler): Hono {
  const path = '/oauth/authorize'
  const app = new Hono()
  const handleError = pageErrorHandler(deps)
  app.all(path, rateLimit)
  app.onError((error, c) => {
    if (!(error instanceof ApiError) || error.type !== 'INVALID_REQUEST') {
      return handleError(error, c)
    }
    if (error.recordedAs) recordSecurityRefusal(deps.security, c, error.recordedAs)
    return renderRequestError(c, error)
  })
  app.on('POST', path, rejectCrossSite)

  app.on(['GET', 'POST'], path, async (c) => {
    const request = await parseAuthorizationRequest(deps.db, rawQuery(c))
    c.set('oauthClient', request.client.id)
    if (request.error) return seeOther(c, errorResponse(request, request.error))
    const session = await findSession(deps, c)
    if (!session) return redirectToSignIn(c)
    return c.req.method === 'POST'
      ? decide(c, request, session)
      : renderConsent(c, request, session)
  })

  allowMethods(app, path, 'GET, POST')
  return app

  async function decide(
    c: AppContext,
    request: AuthorizationRequest,
    session: UserSession,
  ): Promise<Response> {
    const form = await readForm(c)
    if (!verifyCsrfToken(session.secret, csrfPurpose(c), form.get('token'))) {
      recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
      return renderConsent(c, request, session, { form, isStale: true })
    }
    if (form.get('decision') === 'deny') {
      recordSecurityRefusal(deps.security, c, { event: 'consent_denied' })
      const denied = { code: 'access_denied', description: 'the user did not approve' } as const
      return seeOther(c, errorResponse(request, denied))
    }
    if (form.get('decision') !== 'approve') return renderConsent(c, request, session)
    const instances = await listApprovable(session)
    const selected = instances.find(({ key }) => key === form.get('instance'))
    if (selected && isSecondFactorMissing(session, selected.mode)) {
      return seeOther(c, `${deps.config.consoleUrl}/console/me`)
    }
    const approval = selected && {
      user: session.user,
      instanceId: selected.id,
      by: userActor(c, session.user),
    }
    const url = approval && (await issueAuthorizationCode(deps, request, approval))
    if (url !== undefined) return seeOther(c, url)
    return (await findSession(deps, c))
      ? renderConsent(c, request, session, { form })
      : redirectToSignIn(c)
  }

  /** Rendered for every request, because no earlier approval may turn a redirect into access. */
  async function renderConsent(
    c: AppContext,
    request: AuthorizationRequest,
    session: UserSession,
    /** A submitted form with an invalid CSRF token or without an instance. */
    rejected?: { form: Form; isStale?: boolean },
  ): Promise<Response> {
    const translator = requestTranslator(c)
    const content = consentContent(translator, {
      csrfToken: createCsrfToken(session.secret, csrfPurpose(c)),
      client: request.client.name,
      host: new URL(request.redirectUrl).host,
      scopes: request.scopes,
      instances: await listApprovable(session),
      selected: rejected?.form.get('instance'),
      isSelectionMissing: rejected !== undefined && !rejected.isStale,
      expires: deps.now() + refreshTokenLifetimeMs(deps.config),
      email: session.user.email,
      signOut: signOutForm(session, requestPath(c)),
      ...(rejected?.isStale ? { error: translator.t('sign_in.stale') } : {}),
    })
    return renderPage(c, {
      translator,
      title: translator.t('authorize.title', { client: request.client.name }),
      content,
      formActionOrigins: redirectOrigins(request),
      status: rejected === undefined ? 200 : rejected.isStale ? 403 : 400,
    })
  }

  /**
   * Returns the instances that a user may open to a platform. Throws a 403 ApiError for a user whose role
   * approves none.
   */
  async function listApprovable({ user }: UserSession) {
    const all = await listMerchantInstances(deps.db, user.merchant_id)
    const approvable = all.filter(
      (instance) =>
        canSeeInstance(user, instance) &&
        permissionsOfRole(user.role, instance.mode).has('grants:write'),
    )
    if (approvable.length > 0 || all.length === 0) return approvable
    throw new ApiError('FORBIDDEN', 'The role of this user lacks the permission grants:write', {
      recordedAs: { event: 'role_refused', limit: 'grants:write' },
    })
  }

  /** What a user may not do themselves for want of a second factor, a platform must not do for them. */
  function isSecondFactorMissing(session: UserSession, mode: Instance['mode']): boolean {
    return requiresSecondFactor(deps.config, mode) && !hasUsedSecondFactor(session)
  }

  function redirectToSignIn(c: AppContext): Response {
    return seeOther(c, `${deps.config.consoleUrl}${signInPath(requestPath(c))}`)
  }
}

/**
 * The origins of all registered redirect URLs: a platform's callback may redirect the browser to
 * another of its hosts.
 */
function redirectOrigins({ redirectUrl, client }: AuthorizationRequest): string[] {
  const urls = [redirectUrl, ...registeredRedirectUrls(client)]
  return [...new Set(urls.flatMap((url) => plainOrigin(url) ?? []))]
}

/** The query as it arrived: decoding and encoding it again could change its bytes. */
function rawQuery(c: AppContext): string {
  const { url } = c.req
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function requestPath(c: AppContext): string {
  return `/oauth/authorize?${rawQuery(c)}`
}

/** An approval is valid for this query only. */
function csrfPurpose(c: AppContext): string {
  return `authorize ${rawQuery(c)}`
}

/** Renders the error of a request that must not be redirected to its redirect URL. */
function renderRequestError(c: AppContext, { message }: ApiError): Response | Promise<Response> {
  const translator = requestTranslator(c)
  const title = translator.t('authorize.problem_title')
  const content = noticeContent(title, translator.t('authorize.problem'), message)
  return renderPage(c, { translator, title, content, status: 400 })
}
