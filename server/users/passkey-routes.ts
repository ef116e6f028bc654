import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Hono } from 'hono'
import type { User } from '../db/tables/users.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { readForm } from '../http/form.ts'
import { recordSecurityRefusal } from '../http/record-refusal.ts'
import type { AppContext } from '../http/router.ts'
import { auditFailedSignIn } from './audit-sign-in.ts'
import { allowMethods } from './error-pages.ts'
import { authenticationOptions, verifyPasskey } from './factors/passkeys.ts'
import { seeOther } from './layout.ts'
import { parseReturnTo } from './return-to.ts'
import { findPreSession, startSession } from './sessions.ts'
import { CONSOLE_PATH, isSignInToken, renderSignIn, type SignInPages } from './sign-in-page.ts'
import { endStep, findStep } from './sign-in-step.ts'
import { findUserById } from './store.ts'
import type { Translator } from './translator.ts'

const PATH = '/sign-in/passkey'

/** Sign-in by passkey, which the script of the page asks the browser for. */
export function passkeyRoutes(app: Hono, deps: Deps, pages: SignInPages): void {
  app.post(`${PATH}/options`, async (c) => {
    const { token } = await readGenuine(c)
    if (!token) throw new ApiError('FORBIDDEN', 'This form is no longer valid')
    const browser = findPreSession(deps, c) ?? ''
    c.header('Cache-Control', 'no-store')
    return c.json(await authenticationOptions(deps, { purpose: 'SIGN_IN', browser }))
  })

  app.post(PATH, async (c) => {
    const { returnTo, token, response } = await readGenuine(c)
    if (!token) {
      return renderSignIn(deps, c, pages, {
        returnTo,
        error: ({ t }) => t('sign_in.stale'),
        status: 403,
      })
    }
    const user = response && (await findPasskeyUser(c, response))
    const step = await findStep(deps, c)
    if (!user || !(await startSession(deps, c, user, ['PASSKEY']))) {
      recordSecurityRefusal(deps.security, c, { event: 'sign_in_refused' })
      auditFailedSignIn(deps, c, user ?? step?.user, 'PASSKEY')
      const error = { error: ({ t }: Translator) => t('sign_in.passkey_failed') }
      return renderSignIn(deps, c, pages, { returnTo, ...error })
    }
    if (step) await endStep(deps, c, step)
    return seeOther(c, `${deps.config.consoleUrl}${returnTo ?? CONSOLE_PATH}`)
  })

  allowMethods(app, `${PATH}/options`, 'POST')
  allowMethods(app, PATH, 'POST')

  async function readGenuine(c: AppContext) {
    const returnTo = parseReturnTo(c.req.query('return'))
    const form = await readForm(c)
    const token = isSignInToken(deps, c, { returnTo, token: form.get('token') })
    if (!token) recordSecurityRefusal(deps.security, c, { event: 'form_refused' })
    return { returnTo, token, response: parseResponse(form.get('passkey')) }
  }

  async function findPasskeyUser(
    c: AppContext,
    response: AuthenticationResponseJSON,
  ): Promise<User | undefined> {
    const browser = findPreSession(deps, c) ?? ''
    const passkey = await verifyPasskey(deps, { purpose: 'SIGN_IN', browser, response })
    return passkey && findUserById(deps.db, passkey.user_id)
  }
}

/** The library checks the rest of what the browser sent. */
function parseResponse(text: string | undefined): AuthenticationResponseJSON | undefined {
  try {
    const response = JSON.parse(text ?? '') as AuthenticationResponseJSON | null
    return typeof response?.id === 'string' ? response : undefined
  } catch {
    return undefined
  }
}
