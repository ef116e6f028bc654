import { createCsrfToken } from './csrf-token.ts'
import type { UserSession } from './sessions.ts'

export interface SignOutForm {
  action: string
  csrfToken: string
}

/** `returnTo` is the path to return to after the next sign-in. */
export function signOutForm(session: UserSession, returnTo: string | undefined): SignOutForm {
  return {
    action:
      returnTo === undefined ? '/sign-out' : `/sign-out?return=${encodeURIComponent(returnTo)}`,
    csrfToken: createCsrfToken(session.secret, 'sign-out'),
  }
}
