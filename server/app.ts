import { Hono } from 'hono'
import { accountRoutes } from './accounts/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { basicAuth } from './authentication/basic.ts'
import { bearerAuth } from './authentication/bearer.ts'
import { sessionAuth } from './authentication/session-cookie.ts'
import { whoamiRoutes } from './authentication/whoami.ts'
import { requireMethodUnused } from './charges/method-in-use.ts'
import { chargeRoutes } from './charges/routes.ts'
import { checkoutMonitorRoutes } from './checkout-monitor/routes.ts'
import { checkoutRoutes } from './checkouts/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { unsubscribeRoutes } from './mail/unsubscribe-routes.ts'
import { closeDeepLinkSessions, closeLinkSessions } from './checkouts/close-sessions.ts'
import { payPageRoutes } from './pay-page/routes.ts'
import { sessionPageRoutes } from './pay-page/session-page-routes.ts'
import { preferencesRoutes } from './preferences/routes.ts'
import { taskRoutes } from './pay-page/task-routes.ts'
import { deepLinkRoutes } from './deep-links/routes.ts'
import { contractRoutes } from './contracts/routes.ts'
import type { Config } from './config.ts'
import type { BuiltConsole } from './console/built-console.ts'
import { factorRoutes } from './console/factor-routes.ts'
import { consoleRoutes } from './console/routes.ts'
import type { Deps } from './deps.ts'
import { describedEvents } from './events/payloads.ts'
import { eventRoutes } from './events/routes.ts'
import { eventStreamRoutes } from './event-stream/routes.ts'
import { separateHosts } from './http/console-host.ts'
import { setClient } from './http/client-ip.ts'
import { compressForBrowsers, compressForConsole } from './http/compress.ts'
import { HEALTH } from './http/openapi/described/health.ts'
import { OAUTH } from './http/openapi/described/oauth.ts'
import { PAGES } from './http/openapi/described/pages.ts'
import { PROCESSOR_NOTICES } from './http/openapi/described/processors.ts'
import { SANDBOX } from './http/openapi/described/sandbox.ts'
import { openapiDocument, type OpenapiDocument } from './http/openapi/document.ts'
import type { Mount } from './http/openapi/mount.ts'
import { serveOpenapi } from './http/openapi/serve.ts'
import { rejectRepeatedHeaders } from './http/repeated-headers.ts'
import { handleErrors, handleNotFound } from './http/error-handler.ts'
import { watchProxies } from './http/proxies.ts'
import { newRouter, rejectOtherMethods, type Router } from './http/router.ts'
import { requireDiskSpace } from './http/disk-space-guard.ts'
import {
  rejectCrossSite,
  refuseServiceWorkers,
  requireKnownHost,
  requireSameOrigin,
  REPORT_PATH,
  requireHttps,
  securityHeaders,
} from './http/security.ts'
import { attentionRoutes } from './attention/routes.ts'
import { insightRoutes } from './insights/routes.ts'
import { instanceRoutes } from './instances/routes.ts'
import { testClockRoutes } from './instances/test-clock-routes.ts'
import { mayChangeInstance } from './authentication/user-access.ts'
import { limitWrongCredentials } from './authentication/wrong-credentials.ts'
import {
  rateLimitAnonymous,
  rateLimitAssets,
  rateLimitCallers,
  rateLimitPayers,
} from './http/rate-limit.ts'
import type { HasDiskSpace } from './observe/disk-space.ts'
import { createLog } from './observe/log.ts'
import type { PageRenderer } from './pay-page/document.ts'
import { createTokenBuckets } from './rate-limits/token-bucket.ts'
import type { RequestRateLimits } from './rate-limits/token-bucket-sync.ts'
import { grantRoutes } from './oauth/grant-routes.ts'
import { authorizeRoutes } from './oauth/authorize-routes.ts'
import { findClientName } from './oauth/clients.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { reportRoutes } from './http/csp-reports.ts'
import { type MeasuredRequest, watchRequests } from './http/request-log.ts'
import {
  captureRoutes,
  refundRoutes,
  reversalRoutes,
  voidRoutes,
} from './payments/record-routes.ts'
import { legalEntityRoutes } from './legal-entities/routes.ts'
import { legalEntityRouteRoutes } from './legal-entity-routes/routes.ts'
import { expediteSetups } from './method-setups/store.ts'
import type { Expedite } from './processor-connections/record-notice.ts'
import { expediteNoticed } from './payments/reconcile-queue.ts'
import { paymentRoutes } from './payments/routes.ts'
import { contractCharges, syncScheduledPayment } from './payments/schedule-payment.ts'
import { expediteRead } from './payments/sync-reversals.ts'
import { paymentLinkRoutes } from './payment-links/routes.ts'
import { paymentMethodRoutes } from './payment-methods/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { noticeRoutes } from './processor-connections/notice-routes.ts'
import { processorRoutes } from './processor-connections/routes.ts'
import { viewRoutes } from './views/routes.ts'
import { stringAckRoutes } from './strings/ack-routes.ts'
import { stringTransferRoutes } from './strings/transfer-routes.ts'
import { stringOverrideRoutes } from './strings/override-routes.ts'
import { stringRevisionRoutes } from './strings/revision-routes.ts'
import { secretKeyRoutes } from './secret-keys/routes.ts'
import { stringRoutes } from './strings/routes.ts'
import { deleteBrandingStrings, listStringBrandings } from './strings/store.ts'
import { userManagementRoutes } from './user-management/routes.ts'
import { userSessionRoutes } from './user-management/session-routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface App {
  app: Hono
  /** Every route with its schemas, for the OpenAPI document and the tests. */
  mounts: Mount[]
  /** Creates the document that is served at `/openapi.json`. */
  openapi: () => OpenapiDocument
}

/** What the routes need besides `Deps`, and the sub-applications to mount. */
export interface AppParts {
  page: PageRenderer
  taskPage: PageRenderer
  console: BuiltConsole
  rateLimits: RequestRateLimits
  hasDiskSpace: HasDiskSpace
  /** The server is shutting down. */
  draining: () => boolean
  assets?: Hono
  /** `/docs`. */
  docs?: Hono | undefined
  widget?: Hono
  sandbox?: Hono
  health?: Hono
  /** Called with every finished request. */
  count?: (request: MeasuredRequest) => void
}

/** Prefixes of the API for secret keys and passwords, and for tokens. */
const API = '/c/api/instances/:instance_key'
const TOKEN_API = '/c/api'

const EXPEDITE: Expedite = {
  async operations(tx, connection, operations, now) {
    await expediteNoticed(tx, connection, operations, now)
    await expediteSetups(tx, connection, operations, now)
  },
  changes: expediteRead,
}

/** Mounts every router at its prefix. */
export function createApp(deps: Deps, parts: AppParts): App {
  const api = newRouter({ refuseUnknownParameters: true, now: () => deps.realNow() })
  accountRoutes(api, deps)
  privacyRoutes(api, deps)
  paymentMethodRoutes(api, deps, requireMethodUnused)
  contractRoutes(api, deps, contractCharges)
  chargeRoutes(api, deps, syncScheduledPayment)
  paymentLinkRoutes(api, deps, closeLinkSessions)
  mailRoutes(api, deps)
  deepLinkRoutes(api, deps, closeDeepLinkSessions)
  checkoutRoutes(api, deps)
  sessionPageRoutes(api, deps)
  checkoutMonitorRoutes(api, deps)
  insightRoutes(api, deps)
  paymentRoutes(api, deps)
  captureRoutes(api, deps)
  refundRoutes(api, deps)
  reversalRoutes(api, deps)
  voidRoutes(api, deps)
  processorRoutes(api, deps)
  legalEntityRoutes(api, deps)
  legalEntityRouteRoutes(api, deps)
  stringRoutes(api, deps)
  stringOverrideRoutes(api, deps)
  stringRevisionRoutes(api, deps)
  stringAckRoutes(api, deps)
  stringTransferRoutes(api, deps)
  webhookRoutes(api, deps)
  // Before the route of one event.
  eventStreamRoutes(api, deps, () => parts.draining())
  eventRoutes(api, deps)
  const wording = { used: listStringBrandings, drop: deleteBrandingStrings }
  instanceRoutes(api, deps, wording, (c, tx, other) => mayChangeInstance(tx, c.get('actor'), other))
  testClockRoutes(api, deps)
  secretKeyRoutes(api, deps)
  grantRoutes(api, deps)
  auditRoutes(api, deps)
  userManagementRoutes(api, deps)
  userSessionRoutes(api, deps)
  timelineRoutes(api, deps)
  attentionRoutes(api, deps)
  preferencesRoutes(api, deps)
  viewRoutes(api, deps)
  whoamiRoutes(api, deps)
  const payer = newRouter()
  // The page of a task comes before that of the other deep links, at the same address.
  taskRoutes(payer, deps, parts.taskPage)
  payPageRoutes(payer, deps, parts.page)
  const routers: Router[] = [api, payer]
  for (const router of routers) rejectOtherMethods(router)

  const mounts: Mount[] = [
    { prefix: API, routes: api.routes, security: 'basic' },
    { prefix: TOKEN_API, routes: api.routes, security: 'bearer' },
    { prefix: '', routes: payer.routes, security: 'none' },
  ]
  const app = new Hono()
  app.onError(handleErrors(deps))
  app.notFound(handleNotFound)
  const { baseUrl, consoleUrl, allowedHosts, trustProxy } = deps.config
  app.use(watchRequests(deps.log, parts.count))
  app.use(securityHeaders({ https: baseUrl.startsWith('https:') }))
  // Probes are not limited, and may ask for any host.
  if (parts.health) app.route('/', parts.health)
  app.use(
    rejectRepeatedHeaders,
    setClient(trustProxy),
    requireKnownHost([baseUrl, consoleUrl], allowedHosts),
  )
  app.use(refuseServiceWorkers, separateHosts(deps.config))
  app.on('ALL', ['/pay/*', '/go/*', '/sign-in/*', '/oauth/*'], watchProxies(deps))
  const { rateLimits } = parts
  const limitPayers = rateLimitPayers(rateLimits.payers, deps)
  const limitAnonymous = rateLimitAnonymous(rateLimits.payers, deps)
  const refuseWrites = requireDiskSpace(parts.hasDiskSpace)
  app.use(`${TOKEN_API}/*`, refuseWrites, limitAnonymous, limitWrongCredentials(deps))
  app.use(`${API}/*`, compressForConsole, sessionAuth(deps), basicAuth(deps))
  app.use(`${TOKEN_API}/*`, bearerAuth(deps))
  app.use(`${TOKEN_API}/*`, requireHttps(deps.config), rateLimitCallers(rateLimits.callers, deps))
  app.route(API, api.app)
  app.route(TOKEN_API, api.app)
  const limitAssets = rateLimitAssets(deps.config.payerRate, deps)
  app.on(
    'ALL',
    ['/assets/*', '/widget.js', '/widget.mjs', '/widget.json', '/widget/*'],
    limitAssets,
  )
  if (parts.assets) app.route('/assets', parts.assets)
  if (parts.widget) app.route('/', parts.widget)
  app.use('/processors/*', refuseWrites)
  app.route('/processors', noticeRoutes(deps, { expedite: EXPEDITE, draining: parts.draining }))
  // These have their own error formats and apply the limit themselves.
  const signIn = {
    findClientName: (path: string) => findClientName(deps.db, path),
    script: () => parts.console.signIn,
    rateLimit: limitPayers,
  }
  app.route('/', userRoutes(deps, signIn))
  app.route('/', authorizeRoutes(deps, limitPayers))
  app.route('/console', factorRoutes(deps, { rateLimit: limitPayers }))
  const ask = (request: Request, env: unknown) => app.fetch(request, env)
  app.route('/', consoleRoutes(deps, parts.console, { rateLimit: limitPayers, ask }))
  app.route('/', tokenRoutes(deps, limitPayers))
  app.route('/', unsubscribeRoutes(deps, limitPayers))
  // Everything below, including unknown paths.
  app.use(limitPayers)
  const described = [...OAUTH, ...PAGES, ...PROCESSOR_NOTICES, ...HEALTH, ...SANDBOX]
  const openapi = () => openapiDocument({ mounts, described, events: describedEvents(), baseUrl })
  app.get('/openapi.json', serveOpenapi(openapi))
  app.on('POST', '/sandbox/*', rejectCrossSite)
  if (parts.sandbox) app.route('/sandbox', parts.sandbox)
  const refuseForeign = requireSameOrigin(baseUrl)
  for (const { method, path, fromElsewhere } of payer.routes) {
    if (method === 'get' || fromElsewhere) continue
    app.on(method.toUpperCase(), path, rejectCrossSite, refuseForeign, refuseWrites)
  }
  if (parts.docs) app.route('/', parts.docs)
  app.route(REPORT_PATH, reportRoutes(deps))
  app.use('/pay/*', compressForBrowsers)
  app.use('/go/*', compressForBrowsers)
  app.route('/', payer.app)
  return { app, mounts, openapi }
}

/** Creates the OpenAPI document without a database, because no route is called. */
export function createOpenapiDocument(config: Config): OpenapiDocument {
  const deps = { config, log: createLog('silent') } as Deps
  const rateLimits = { payers: createTokenBuckets(0), callers: createTokenBuckets(0) }
  return createApp(deps, { rateLimits } as AppParts).openapi()
}
