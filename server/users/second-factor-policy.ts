import type { Config } from '../config.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SessionFactor } from './sessions.ts'

const SECOND: ReadonlySet<SessionFactor> = new Set(['TOTP', 'RECOVERY_CODE', 'PASSKEY'])

/** Returns whether a user has proved more than to know a password. */
export function hasUsedSecondFactor({ factors }: { factors: readonly SessionFactor[] }): boolean {
  return factors.some((factor) => SECOND.has(factor))
}

/** Returns the policy that the user of a session does not meet yet somewhere, else null. */
export function missingSecondFactor(
  { requireMfa }: Pick<Config, 'requireMfa'>,
  session: { factors: readonly SessionFactor[] },
): 'live' | 'always' | null {
  return requireMfa === 'off' || hasUsedSecondFactor(session) ? null : requireMfa
}

/** Returns whether the policy of the server requires a second factor for instances of a mode. */
export function requiresSecondFactor(
  { requireMfa }: Pick<Config, 'requireMfa'>,
  mode: Instance['mode'],
): boolean {
  return requireMfa === 'always' || (requireMfa === 'live' && mode === 'LIVE')
}
