import { Hono, type MiddlewareHandler } from 'hono'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { formatInstant } from '../../shared/rules/time.ts'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import * as schema from '../../shared/schemas/user-factors.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { missingSecondFactor } from '../users/second-factor-policy.ts'
import { findConsoleSession } from '../authentication/session-cookie.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound, SESSION_CHALLENGE, UnauthorizedError } from '../errors.ts'
import { newRouter, rejectOtherMethods, type AppContext, type Route } from '../http/router.ts'
import { STEP_UP_MS } from '../http/step-up.ts'
import { changeOwnPassword } from '../users/change.ts'
import { describeFactors } from '../users/factors/describe.ts'
import {
  addPasskey,
  confirmTotp,
  removeFactor,
  renewRecoveryCodes,
  requireRoomForPasskey,
  startTotp,
} from '../users/factors/enroll.ts'
import {
  authenticationOptions,
  registrationOptions,
  verifyRegistration,
} from '../users/factors/passkeys.ts'
import { stepUp } from '../users/factors/prove.ts'
import { listFactors, renamePasskey } from '../users/factors/store.ts'
import type { UserSession } from '../users/sessions.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The session of a request to the console itself. */
    consoleSession: UserSession
  }
}

const about = { tag: 'console', summary: '', description: '', withoutSecondFactor: true } as const
const params = z.object({ id: z.string() })
const route = <const R extends Pick<Route, 'method' | 'path' | 'responses'> & Partial<Route>>(
  r: R,
) => ({
  ...about,
  ...r,
})

const read = route({
  method: 'get',
  path: '/factors',
  responses: { 200: schema.factorsResponse, ...commonErrors },
})
const addTotp = route({
  method: 'post',
  path: '/factors/totp',
  stepUp: true,
  responses: { 200: schema.newTotpResponse, ...commonErrors },
})
const confirm = route({
  method: 'post',
  path: '/factors/totp/confirm',
  stepUp: true,
  body: schema.confirmTotpRequest,
  responses: { 200: schema.enrolledResponse, ...commonErrors },
})
const removeTotp = route({
  method: 'delete',
  path: '/factors/totp',
  stepUp: true,
  responses: { 200: schema.factorsResponse, ...commonErrors },
})
const renewCodes = route({
  method: 'post',
  path: '/factors/recovery_codes',
  stepUp: true,
  responses: { 200: schema.enrolledResponse, ...commonErrors },
})
const passkeyOptions = route({
  method: 'post',
  path: '/factors/passkeys/options',
  stepUp: true,
  responses: { 200: schema.optionsResponse, ...commonErrors },
})
const newPasskey = route({
  method: 'post',
  path: '/factors/passkeys',
  stepUp: true,
  body: schema.addPasskeyRequest,
  responses: { 200: schema.enrolledResponse, ...commonErrors },
})
const rename = route({
  method: 'put',
  path: '/factors/passkeys/:id',
  params,
  body: schema.renamePasskeyRequest,
  responses: { 200: schema.factorsResponse, ...commonErrors },
})
const removePasskey = route({
  method: 'delete',
  path: '/factors/passkeys/:id',
  stepUp: true,
  params,
  responses: { 200: schema.factorsResponse, ...commonErrors },
})
const changePassword = route({
  method: 'put',
  path: '/password',
  stepUp: true,
  body: schema.changePasswordRequest,
  responses: { 200: schema.changedPasswordResponse, ...commonErrors },
})
const stepUpOptions = route({
  method: 'post',
  path: '/step_up/options',
  responses: { 200: schema.stepUpOptionsResponse, ...commonErrors },
})
const prove = route({
  method: 'post',
  path: '/step_up',
  body: schema.stepUpRequest,
  responses: { 200: schema.stepUpResponse, ...commonErrors },
})

/**
 * How the user of the console signs in. These belong to a person and to no instance, so they are no part
 * of the API: no secret key, no token and no password reaches them, only the console's session (D294).
 */
export function factorRoutes(deps: Deps, { rateLimit }: { rateLimit: MiddlewareHandler }): Hono {
  const router = newRouter({ refuseUnknownParameters: true, now: () => deps.realNow() })
  const describe = (c: AppContext, session = c.get('consoleSession')) =>
    describeFactors(deps, session, {
      missing: missingSecondFactor(deps.config, session) !== null,
    })
  /** After enrolling, the session has used its second factor. */
  const enrolled = async (c: AppContext, recovery_codes: string[] | null) => {
    const session = (await findConsoleSession(deps, c)) ?? c.get('consoleSession')
    return c.json({ factors: await describe(c, session), recovery_codes })
  }

  router.on(read, async (c) => c.json({ factors: await describe(c) }))
  router.on(addTotp, async (c) => c.json({ totp: await startTotp(deps, c.get('consoleSession')) }))
  router.on(confirm, async (c, { body }) =>
    enrolled(c, await confirmTotp(deps, c.get('consoleSession'), body.totp.code)),
  )
  router.on(removeTotp, async (c) => {
    await removeFactor(deps, c.get('consoleSession'))
    return c.json({ factors: await describe(c) })
  })
  router.on(renewCodes, async (c) =>
    enrolled(c, await renewRecoveryCodes(deps, c.get('consoleSession'))),
  )

  router.on(passkeyOptions, async (c) => {
    const { user, secret: browser } = c.get('consoleSession')
    await requireRoomForPasskey(deps, c.get('consoleSession'))
    return c.json({ options: { ...(await registrationOptions(deps, user, { browser })) } })
  })
  router.on(newPasskey, async (c, { body: { passkey } }) => {
    const session = c.get('consoleSession')
    const response = passkey.response as unknown as RegistrationResponseJSON
    const made = await verifyRegistration(deps, session.user, {
      browser: session.secret,
      name: passkey.name,
      response,
    })
    if (!made) throw invalid('passkey.response', 'was not accepted')
    return enrolled(c, await addPasskey(deps, session, made))
  })
  router.on(rename, async (c, { params: { id }, body }) => {
    const named = { id, name: body.passkey.name }
    const { user } = c.get('consoleSession')
    if (!(await renamePasskey(deps.db, user.id, named))) throw notFound('Passkey')
    return c.json({ factors: await describe(c) })
  })
  router.on(removePasskey, async (c, { params: { id } }) => {
    if (!(await removeFactor(deps, c.get('consoleSession'), id))) throw notFound('Passkey')
    return c.json({ factors: await describe(c) })
  })

  router.on(changePassword, async (c, { body: { password } }) => {
    const { user, id, ip } = c.get('consoleSession')
    const grants_revoked = await changeOwnPassword(deps, user, password.new, {
      keep: id,
      revokeGrants: password.revoke_grants ?? false,
      ip,
    })
    return c.json({ grants_revoked })
  })

  router.on(stepUpOptions, async (c) => {
    const { user, secret: browser } = c.get('consoleSession')
    const factors = await listFactors(deps.db, user.id)
    const hasPasskey = factors.some(({ kind }) => kind === 'PASSKEY')
    const asked = { purpose: 'STEP_UP', browser, userId: user.id } as const
    return c.json({
      step_up: {
        code: factors.length > 0,
        passkey: hasPasskey ? { ...(await authenticationOptions(deps, asked)) } : null,
      },
    })
  })
  router.on(prove, async (c, { body }) => {
    await stepUp(deps, c.get('consoleSession'), body.step_up, clientInfo(c).ip)
    return c.json({ step_up: { until: formatInstant(deps.realNow() + STEP_UP_MS) } })
  })

  rejectOtherMethods(router)
  const app = new Hono()
  for (const path of ['factors', 'factors/*', 'password', 'step_up', 'step_up/*']) {
    app.use(`/${path}`, rateLimit, requireConsole(deps))
  }
  app.route('/', router.app)
  return app
}

function requireConsole(deps: Deps): MiddlewareHandler {
  return async function requireConsoleSession(c, next) {
    const session = await findConsoleSession(deps, c)
    if (!session) throw new UnauthorizedError(SESSION_CHALLENGE)
    c.set('consoleSession', session)
    c.set('authenticated', session.authenticated)
    await next()
  }
}
