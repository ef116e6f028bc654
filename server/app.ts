import { Hono } from 'hono'
import { accountRoutes } from './accounts/routes.ts'
import { basicAuth } from './authentication/basic.ts'
import { bearerAuth } from './authentication/bearer.ts'
import { requireMethodUnused } from './charges/method-in-use.ts'
import { chargeRoutes } from './charges/routes.ts'
import { checkoutRoutes } from './checkouts/routes.ts'
import { closeSessionsOf } from './checkouts/close-sessions.ts'
import { payPageRoutes } from './pay-page/routes.ts'
import { contractRoutes } from './contracts/routes.ts'
import type { Deps } from './deps.ts'
import { describedEvents } from './events/payloads.ts'
import { eventRoutes } from './events/routes.ts'
import { setClient } from './http/client-ip.ts'
import { compressForPayers } from './http/compress.ts'
import { HEALTH } from './http/openapi/described/health.ts'
import { OAUTH } from './http/openapi/described/oauth.ts'
import { PAGES } from './http/openapi/described/pages.ts'
import { SANDBOX } from './http/openapi/described/sandbox.ts'
import { openapiDocument, type OpenapiDocument } from './http/openapi/document.ts'
import type { Mount } from './http/openapi/mount.ts'
import { serveOpenapi } from './http/openapi/serve.ts'
import { rejectRepeatedHeaders } from './http/repeated-headers.ts'
import { handleErrors, handleNotFound } from './http/error-handler.ts'
import { watchProxies } from './http/proxies.ts'
import { type AppEnv, newRouter, refuseOtherMethods, type Router } from './http/router.ts'
import { requireDiskSpace } from './http/disk-space-guard.ts'
import {
  rejectCrossSite,
  requireKnownHost,
  requireSameOrigin,
  REPORT_PATH,
  requireHttps,
  securityHeaders,
} from './http/security.ts'
import { instanceRoutes } from './instances/routes.ts'
import { testClockRoutes } from './instances/test-clock-routes.ts'
import { limitWrongCredentials } from './authentication/wrong-credentials.ts'
import { limitAssets } from './http/asset-rate-limit.ts'
import { rateLimitCallers, rateLimitPayers } from './http/rate-limit.ts'
import { limitAnonymous } from './http/anonymous-rate-limit.ts'
import { authorizeRoutes } from './oauth/authorize-routes.ts'
import { findClientName } from './oauth/clients.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { reportRoutes } from './http/csp-reports.ts'
import { type MeasuredRequest, watchRequests } from './http/request-log.ts'
import { captureRoutes } from './payments/capture-routes.ts'
import { refundRoutes } from './payments/refund-routes.ts'
import { reversalRoutes } from './payments/reversal-routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { contractVerbs, syncScheduledPayment } from './payments/schedule-payment.ts'
import { voidRoutes } from './payments/void-routes.ts'
import { paymentLinkRoutes } from './payment-links/routes.ts'
import { paymentMethodRoutes } from './payment-methods/routes.ts'
import { stringRoutes } from './strings/routes.ts'
import { deleteBranding, writtenBrandings } from './strings/store.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface App {
  app: Hono<AppEnv>
  /** Every route with its schemas, for the OpenAPI document and the tests. */
  mounts: Mount[]
  /** Makes the OpenAPI document that `/openapi.json` answers. */
  openapi: () => OpenapiDocument
}

/** Parts that are served as they are: built files, and the pages of processors. */
export interface Attachments {
  assets?: Hono
  widget?: Hono
  sandbox?: Hono
  health?: Hono
  /** Told of every request that was answered. */
  count?: (request: MeasuredRequest) => void
}

/** The merchant's API with a secret key or password, and with a platform's token. */
const API = '/c/api/instances/:instance_key'
const TOKEN_API = '/c/api'

/** Mounts every router at its prefix. */
export function createApp(deps: Deps, attachments: Attachments = {}): App {
  const api = newRouter({ refuseUnknownParameters: true })
  accountRoutes(api, deps)
  paymentMethodRoutes(api, deps, requireMethodUnused)
  contractRoutes(api, deps, contractVerbs)
  chargeRoutes(api, deps, syncScheduledPayment)
  paymentLinkRoutes(api, deps, closeSessionsOf)
  checkoutRoutes(api, deps)
  paymentRoutes(api, deps)
  captureRoutes(api, deps)
  refundRoutes(api, deps)
  reversalRoutes(api, deps)
  voidRoutes(api, deps)
  stringRoutes(api, deps)
  webhookRoutes(api, deps)
  eventRoutes(api, deps)
  instanceRoutes(api, deps, { used: writtenBrandings, drop: deleteBranding })
  testClockRoutes(api, deps)
  const payer = newRouter()
  payPageRoutes(payer, deps)
  const routers: Router[] = [api, payer]
  for (const router of routers) refuseOtherMethods(router)

  const mounts: Mount[] = [
    { prefix: API, routes: api.routes, security: 'basic' },
    { prefix: TOKEN_API, routes: api.routes, security: 'bearer' },
    { prefix: '', routes: payer.routes, security: 'none' },
  ]
  const app = new Hono<AppEnv>()
  app.onError(handleErrors(deps))
  app.notFound(handleNotFound)
  const { baseUrl, allowedHosts, trustProxy } = deps.config
  app.use(watchRequests(deps.log, attachments.count))
  app.use(securityHeaders({ https: baseUrl.startsWith('https:') }))
  app.use(rejectRepeatedHeaders, setClient(trustProxy), requireKnownHost(baseUrl, allowedHosts))
  app.on('ALL', ['/pay/*', '/sign-in/*', '/oauth/*'], watchProxies(deps))
  // Probes have no limit.
  if (attachments.health) app.route('/', attachments.health)
  const refuseWrites = requireDiskSpace(deps)
  app.use(`${TOKEN_API}/*`, refuseWrites, limitAnonymous(deps), limitWrongCredentials(deps))
  app.use(`${API}/*`, basicAuth(deps))
  app.use(`${TOKEN_API}/*`, bearerAuth(deps))
  app.use(`${TOKEN_API}/*`, requireHttps(deps.config), rateLimitCallers(deps))
  app.route(API, api.app)
  app.route(TOKEN_API, api.app)
  const files = limitAssets(deps)
  app.on('ALL', ['/assets/*', '/widget.js', '/widget.mjs', '/widget.json', '/widget/*'], files)
  if (attachments.assets) app.route('/assets', attachments.assets)
  if (attachments.widget) app.route('/', attachments.widget)
  // These limit themselves, because they have errors of their own.
  app.route('/', userRoutes(deps, { findClientName: (path) => findClientName(deps.db, path) }))
  app.route('/', authorizeRoutes(deps))
  app.route('/', tokenRoutes(deps))
  // Everything from here on, whether there is such an address or not.
  app.use(rateLimitPayers(deps))
  const described = [...OAUTH, ...PAGES, ...HEALTH, ...SANDBOX]
  const openapi = () => openapiDocument({ mounts, described, events: describedEvents(), baseUrl })
  app.get('/openapi.json', serveOpenapi(openapi))
  app.on('POST', '/sandbox/*', rejectCrossSite)
  if (attachments.sandbox) app.route('/sandbox', attachments.sandbox)
  const refuseForeign = requireSameOrigin(baseUrl)
  for (const { method, path, fromElsewhere } of payer.routes) {
    if (method === 'get' || fromElsewhere) continue
    app.on(method.toUpperCase(), path, rejectCrossSite, refuseForeign, refuseWrites)
  }
  app.route(REPORT_PATH, reportRoutes(deps))
  app.use('/pay/*', compressForPayers)
  app.route('/', payer.app)
  return { app, mounts, openapi }
}
