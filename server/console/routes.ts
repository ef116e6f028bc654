import { Hono, type MiddlewareHandler } from 'hono'
import type { ConsoleBoot } from '../../shared/console-boot.ts'
import { readPreferences } from '../preferences/store.ts'
import { missingSecondFactor } from '../users/second-factor-policy.ts'
import { consoleToken } from '../authentication/session-cookie.ts'
import { canSeeInstance } from '../users/can-see-instance.ts'
import { fromJson } from '../db/json.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { listMerchantInstances } from '../instances/store.ts'
import { hasLinks } from '../payment-links/store.ts'
import { compressPage } from '../http/compress.ts'
import { seeOther } from '../users/layout.ts'
import { pageErrorHandler } from '../users/error-pages.ts'
import { signInPath } from '../users/return-to.ts'
import { findSession, type UserSession } from '../users/sessions.ts'
import { signOutForm } from '../users/sign-out-form.ts'
import type { BuiltConsole } from './built-console.ts'
import { type Ask, readFirstAnswers } from './first-answers.ts'
import { PREVIEW_POLICY, previewDocument } from './preview.ts'
import { CONSOLE_POLICY, consoleShell } from './shell.ts'

const PERMISSIONS = [
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
  'camera=()',
  'geolocation=()',
  'microphone=()',
  'payment=()',
].join(', ')

/** `/console` and every address below it, which the console's script shows. */
export function consoleRoutes(
  deps: Deps,
  built: BuiltConsole,
  { rateLimit, ask }: { rateLimit: MiddlewareHandler; ask: Ask },
): Hono {
  const app = new Hono()
  app.onError(pageErrorHandler(deps))
  app.get('/console/preview', rateLimit, requireNavigation('iframe'), async (c) => {
    if (!(await findSession(deps, c))) throw new ApiError('FORBIDDEN', 'Sign in to the console')
    c.header('Content-Security-Policy', PREVIEW_POLICY)
    c.header('Cache-Control', 'no-store')
    c.header('Referrer-Policy', 'no-referrer')
    return c.html(previewDocument(built.preview))
  })
  const addresses = ['/console', '/console/*']
  app.on(['GET'], addresses, rateLimit, requireNavigation('document'), compressPage, async (c) => {
    const session = await findSession(deps, c)
    if (!session) {
      const url = new URL(c.req.url)
      return seeOther(c, `${deps.config.consoleUrl}${signInPath(url.pathname + url.search)}`)
    }
    c.header('Content-Security-Policy', CONSOLE_POLICY)
    c.header('Cache-Control', 'no-store')
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cross-Origin-Opener-Policy', 'same-origin')
    c.header('Permissions-Policy', PERMISSIONS)
    const [, , key = '', section = ''] = c.req.path.split('/')
    const visible = (await listMerchantInstances(deps.db, session.user.merchant_id)).filter((one) =>
      canSeeInstance(session.user, one),
    )
    const instance = visible.find((one) => one.key === key)
    const token = consoleToken(session)
    const first = instance
      ? await readFirstAnswers(deps, c, ask, { instance, section, token })
      : null
    const boot = { ...(await bootOf(deps, session, visible)), token, first }
    return c.html(consoleShell(built, section, instance?.name ?? '', boot))
  })
  return app
}

/**
 * Rejects requests that are no navigation of a browser, so that a script on the payer's page, which
 * has the same origin, cannot read the console's token. Browsers send these headers on https and
 * localhost only.
 */
function requireNavigation(to: 'document' | 'iframe'): MiddlewareHandler {
  return async function refuseScripts(c, next) {
    const isNavigation =
      c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === to
    if (!isNavigation) {
      throw new ApiError(
        'FORBIDDEN',
        'The console opens in a current browser, over https or localhost',
      )
    }
    await next()
  }
}

async function bootOf(
  deps: Deps,
  session: UserSession,
  visible: Awaited<ReturnType<typeof listMerchantInstances>>,
): Promise<Omit<ConsoleBoot, 'token' | 'first'>> {
  const { id, email, role, languages } = session.user
  const { action, csrfToken } = signOutForm(session, undefined)
  return {
    user: { id, email, role, languages: fromJson<string[]>(languages) },
    preferences: await readPreferences(deps.db, id),
    instances: visible.map(({ key, name, mode, twin, default_currency, timezone }) => ({
      key,
      name,
      mode,
      twin,
      currency: default_currency,
      timezone,
    })),
    session: {
      idleMinutes: deps.config.consoleIdleMs / 60_000,
      missingFactor: missingSecondFactor(deps.config, session),
    },
    signOut: { action, token: csrfToken },
    firstRun: !(await hasLinks(
      deps.db,
      visible.map((instance) => instance.id),
    )),
  }
}
