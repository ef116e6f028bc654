import { createCsrfToken } from './csrf-token.ts'
import type { SignOutForm } from './pages.ts'
import type { UserSession } from './sessions.ts'

/** Where the form for signing out goes, and what it carries. `back` leads on after the next sign-in. */
export function signOutForm(session: UserSession, back: string | undefined): SignOutForm {
  return {
    path: back === undefined ? '/sign-out' : `/sign-out?return=${encodeURIComponent(back)}`,
    token: createCsrfToken(session.secret, 'sign-out'),
  }
}
