import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { User } from '../db/tables/users.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'
import { deleteSignInStep, findSignInStep, insertSignInStep } from './factors/store.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { findUserById } from './store.ts'

/** How long the second factor may take after the password. */
const STEP_MS = 10 * 60_000

/** Remembers in this browser that a user has given their password, and nothing more: it opens nothing. */
export async function startSignInStep(deps: Deps, c: AppContext, user: User): Promise<void> {
  const secret = newSecret('sc')
  await insertSignInStep(deps.db, {
    hash: hashSecret(secret),
    user_id: user.id,
    expires: formatInstant(deps.now() + STEP_MS),
  })
  writeCookie(deps, c, { kind: 'code', value: secret, maxAge: STEP_MS / 1000 })
}

/** A user between password and second factor, and the secret that binds forms to this browser. */
export interface SignInStep {
  user: User
  secret: string
}

export async function findStep(deps: Deps, c: AppContext): Promise<SignInStep | undefined> {
  const secret = readCookie(deps, c, 'code')
  if (secret === undefined) return undefined
  const userId = await findSignInStep(deps.db, hashSecret(secret), formatInstant(deps.now()))
  const user = userId === undefined ? undefined : await findUserById(deps.db, userId)
  return user?.disabled === null ? { user, secret } : undefined
}

export async function endStep(deps: Deps, c: AppContext, { secret }: SignInStep): Promise<void> {
  await deleteSignInStep(deps.db, hashSecret(secret))
  writeCookie(deps, c, { kind: 'code', value: '', maxAge: 0 })
}
