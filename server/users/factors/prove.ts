import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Deps } from '../../deps.ts'
import { invalid, tooManyRequests } from '../../errors.ts'
import { refreshAuthentication, type UserSession } from '../sessions.ts'
import { TooManyAttempts, verifyPassword } from '../verify-password.ts'
import { verifyPasskey } from './passkeys.ts'
import { hasSecondFactor } from './store.ts'
import { verifyCode } from './verify-code.ts'

/** What a signed-in user proves again who they are with. */
export type Proof = { passkey: object } | { password: string; code?: string | undefined }

/**
 * Records that the user of a session has proved who they are just now: by a passkey, or by the password
 * and, if they have a second factor, a code. Throws a 400 ApiError that names what is wrong, and a 429
 * during a lockout.
 */
export async function stepUp(
  deps: Deps,
  session: UserSession,
  proof: Proof,
  address: string | undefined,
): Promise<void> {
  const proved =
    'passkey' in proof
      ? await provePasskey(deps, session, proof.passkey as AuthenticationResponseJSON)
      : await provePassword(deps, session, proof, address).catch(rethrowAsApiError)
  await refreshAuthentication(deps, session, proved)
}

async function provePasskey(
  deps: Deps,
  { user, secret }: UserSession,
  response: AuthenticationResponseJSON,
): Promise<['PASSKEY']> {
  const passkey = await verifyPasskey(deps, { purpose: 'STEP_UP', browser: secret, response })
  if (passkey?.user_id !== user.id) throw invalid('step_up.passkey', 'was not accepted')
  return ['PASSKEY']
}

async function provePassword(
  deps: Deps,
  { user }: UserSession,
  { password, code }: { password: string; code?: string | undefined },
  address: string | undefined,
) {
  const known = await verifyPassword(deps, { email: user.email, password, address })
  if (known?.id !== user.id) throw invalid('step_up.password', 'is wrong')
  if (!(await hasSecondFactor(deps.db, user.id))) return ['PASSWORD'] as const
  const kind = await verifyCode(deps, { userId: user.id, typed: code ?? '', address })
  if (!kind) throw invalid('step_up.code', 'is wrong, or was used before')
  return ['PASSWORD', kind] as const
}

function rethrowAsApiError(error: unknown): never {
  if (!(error instanceof TooManyAttempts)) throw error
  throw tooManyRequests('Too many wrong attempts; try again later', error.waitMs)
}
