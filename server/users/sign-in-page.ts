import type { Deps } from '../deps.ts'
import type { Form } from '../http/form.ts'
import type { AppContext } from '../http/router.ts'
import { createCsrfToken, verifyCsrfToken } from './csrf-token.ts'
import { formatWait } from './format-time.ts'
import { renderPage } from './layout.ts'
import { type PasskeyForm, signInContent } from './pages.ts'
import { signInPath } from './return-to.ts'
import { ensurePreSession, findPreSession } from './sessions.ts'
import { type Translator, requestTranslator } from './translator.ts'
import type { TooManyAttempts } from './verify-password.ts'

/** Where a sign-in leads that began nowhere else. */
export const CONSOLE_PATH = '/console'

export interface SignInPages {
  /** Finds the name of the platform that sent the authorization request at this path. */
  findClientName: (returnTo: string) => Promise<string | undefined>
  /** The address of the script that uses passkeys. */
  script: () => string
}

export interface SignInView {
  returnTo: string | undefined
  form?: Form
  error?: (translator: Translator) => string
  status?: 403 | 429
}

/** Renders the form for email and password. */
export async function renderSignIn(
  deps: Deps,
  c: AppContext,
  { findClientName, script }: SignInPages,
  view: SignInView,
): Promise<Response> {
  const { returnTo, form, error } = view
  const translator = requestTranslator(c, requestedLanguage(c, returnTo))
  const csrfToken = signInToken(deps, c, returnTo)
  const content = signInContent(translator, {
    csrfToken,
    passkey: passkeyPaths(csrfToken, returnTo),
    client: returnTo === undefined ? undefined : await findClientName(returnTo),
    ...(form ? { email: form.get('email') ?? '' } : {}),
    ...(error ? { error: error(translator) } : {}),
  })
  const status = view.status ?? (error ? 400 : 200)
  const title = translator.t('sign_in.title')
  return renderPage(c, { translator, title, content, status, script: script() })
}

/** Returns what the form of a passkey needs. */
export function passkeyPaths(csrfToken: string, returnTo: string | undefined): PasskeyForm {
  const query = signInPath(returnTo).slice('/sign-in'.length)
  return {
    action: `/sign-in/passkey${query}`,
    options: `/sign-in/passkey/options${query}`,
    csrfToken,
  }
}

/** A form is valid only in this browser, and for the path to return to that it was rendered with. */
export function signInToken(deps: Deps, c: AppContext, returnTo: string | undefined): string {
  return createCsrfToken(ensurePreSession(deps, c), csrfPurpose(returnTo))
}

export function isSignInToken(
  deps: Deps,
  c: AppContext,
  { returnTo, token }: { returnTo: string | undefined; token: string | undefined },
): boolean {
  return verifyCsrfToken(findPreSession(deps, c), csrfPurpose(returnTo), token)
}

function csrfPurpose(returnTo: string | undefined): string {
  return `sign-in ${returnTo ?? ''}`
}

/** Sets `Retry-After`, and returns the text that says how long a lockout lasts. */
export function lockedOut(
  c: AppContext,
  { waitMs }: TooManyAttempts,
  id: 'sign_in.wait' | 'sign_in.code_wait',
): (translator: Translator) => string {
  c.header('Retry-After', String(Math.ceil(waitMs / 1000)))
  return (translator) => translator.t(id, { time: formatWait(translator, waitMs) })
}

/**
 * Returns the `lang` of this request, else the one of the authorization request that led here. The `lang` of
 * the console is the language of the wording that it shows.
 */
export function requestedLanguage(c: AppContext, returnTo: string | undefined): string | undefined {
  const [path = '', query] = returnTo?.split('?') ?? []
  const isOfConsole = path === '/console' || path.startsWith('/console/')
  const led = isOfConsole ? null : new URLSearchParams(query).get('lang')
  return c.req.query('lang') ?? led ?? undefined
}
