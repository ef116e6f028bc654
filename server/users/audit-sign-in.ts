import { clientInfo } from '../actor-sessions/caller.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { User } from '../db/tables/users.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { AppContext } from '../http/router.ts'

/**
 * Writes into the audit log that a sign-in as this user failed: their password, code or passkey was wrong.
 * An unknown user belongs to no merchant. The response does not wait for it, because its time would tell
 * which users exist.
 */
export function auditFailedSignIn(
  { db, realNow, log }: Pick<Deps, 'db' | 'realNow' | 'log'>,
  c: AppContext,
  user: Pick<User, 'id'> | undefined,
  step: 'PASSWORD' | 'CODE' | 'PASSKEY',
): void {
  if (!user) return
  const at = realNow()
  inTransaction(db, (tx) =>
    recordAudit(tx, {
      at,
      by: { type: 'ANONYMOUS', ip: clientInfo(c).ip },
      of: { user: user.id },
      action: 'sign_in.failed',
      about: user.id,
      detail: { step },
    }),
  ).catch((error: unknown) => log.warn({ err: error }, 'a failed sign-in was not recorded'))
}
