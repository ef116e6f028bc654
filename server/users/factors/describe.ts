import type { Factors } from '../../../shared/schemas/user-factors.ts'
import type { Deps } from '../../deps.ts'
import { isConsoleApart } from '../../http/console-host.ts'
import { STEP_UP_MS } from '../../http/step-up.ts'
import { SESSION_LIFETIME_MS, type UserSession } from '../sessions.ts'
import { listFactors, listRecoveryCodes } from './store.ts'

/** Returns what the user of a session sees of their factors: never a secret. */
export async function describeFactors(
  { db, config }: Deps,
  { user }: UserSession,
  { missing }: { missing: boolean },
): Promise<Factors> {
  const factors = await listFactors(db, user.id)
  const totp = factors.find(({ kind }) => kind === 'TOTP')
  const codes = await listRecoveryCodes(db, user.id)
  return {
    totp: totp ? { created: totp.created, last_used: totp.last_used } : null,
    passkeys: factors
      .filter(({ kind }) => kind === 'PASSKEY')
      .map(({ id, name, created, last_used }) => ({ id, name: name ?? '', created, last_used })),
    recovery_codes_left:
      factors.length === 0 ? null : codes.filter(({ used }) => used === null).length,
    policy: config.requireMfa,
    missing,
    console_url: isConsoleApart(config) ? config.consoleUrl : null,
    session: {
      hours: SESSION_LIFETIME_MS / 3_600_000,
      idle_minutes: config.consoleIdleMs / 60_000,
      step_up_minutes: STEP_UP_MS / 60_000,
    },
  }
}
