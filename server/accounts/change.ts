import { isDeepStrictEqual } from 'node:util'
import type { AccountChange } from '../../shared/schemas/account.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { accountColumns } from './columns.ts'
import { recordAccountEvent } from './events.ts'
import { type AccountRow, updateAccount, lookupAccount } from './store.ts'

/**
 * Applies a change to the account with this id or `crm_key`, and records `account.updated` unless the
 * account stays the same. A PENDING account becomes ACTIVE. `by` is the id of the caller's actor
 * session. Throws ApiError 404 for an unknown account, and CONFLICT when its version is not `ifMatch`.
 */
export async function changeAccount(
  { db, now: clock }: { db: Db; now: () => number },
  instanceId: string,
  idOrKey: string,
  {
    change,
    by,
    ifMatch,
    path = 'account',
  }: {
    change: AccountChange
    by: string
    ifMatch?: number | undefined
    /** Where the members stand in the request, for error messages. */
    path?: string
  },
): Promise<AccountRow> {
  return inTransaction(db, async (tx) => {
    // Each statement sees what was committed before it, so a retry reads the other request's change.
    return retryOnConflict('Account', async () => {
      const stored = await lookupAccount(tx, instanceId, idOrKey)
      expectVersion('Account', stored, ifMatch)
      if (stored.anonymised !== null) throw invalidState('Account has been anonymised')
      const changed: AccountRow = {
        ...stored,
        ...accountColumns(stored, change, path),
        status: change.status ?? (stored.status === 'PENDING' ? 'ACTIVE' : stored.status),
      }
      if (isDeepStrictEqual(changed, stored)) return stored
      const now = clock()
      const account = {
        ...changed,
        updated_session: by,
        updated: formatInstant(now),
        v: stored.v + 1,
      }
      if (!(await updateAccount(tx, account, stored.v))) return undefined
      await recordAccountEvent(tx, 'account.updated', account, now)
      return account
    })
  })
}
