import { csrfToken } from './csrf-token.ts'
import type { SignOut } from './pages.ts'
import type { UserSession } from './sessions.ts'

/** Where the form for signing out goes, and what it carries. `back` leads on after the next sign-in. */
export function signOutOf(session: UserSession, back: string | undefined): SignOut {
  return {
    path: back === undefined ? '/sign-out' : `/sign-out?return=${encodeURIComponent(back)}`,
    token: csrfToken(session.secret, 'sign-out'),
  }
}
