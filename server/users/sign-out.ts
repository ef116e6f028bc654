import type { Deps } from '../deps.ts'
import { formToken } from './form-token.ts'
import type { SignOut } from './pages.ts'
import type { Session } from './sessions.ts'

/** Where the form for signing out goes, and what it carries. `back` leads on after the next sign-in. */
export function signOutOf(deps: Deps, session: Session, back: string | undefined): SignOut {
  const path = `${new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')}/sign-out`
  return {
    path: back === undefined ? path : `${path}?return=${encodeURIComponent(back)}`,
    token: formToken(session.secret, 'sign-out'),
  }
}
