import { formToken } from './csrf-token.ts'
import type { SignOut } from './pages.ts'
import type { Session } from './sessions.ts'

/** Where the form for signing out goes, and what it carries. `back` leads on after the next sign-in. */
export function signOutOf(session: Session, back: string | undefined): SignOut {
  return {
    path: back === undefined ? '/sign-out' : `/sign-out?return=${encodeURIComponent(back)}`,
    token: formToken(session.secret, 'sign-out'),
  }
}
