import type { Db } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import { auditByOperator, getUser } from '../change.ts'
import { deleteUserSessions } from '../store.ts'
import { deleteFactors } from './store.ts'

/**
 * Removes the second factors of a user who has lost them, and ends their sessions. The password is then
 * enough, unless the policy of the server asks for a new factor. Returns the number of removed factors.
 * Throws an Error for an unknown user.
 */
export async function resetFactors(
  deps: { db: Db; now: () => number },
  email: string,
): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const user = await getUser(tx, email)
    const removed = await deleteFactors(tx, user.id)
    await deleteUserSessions(tx, user.id)
    await auditByOperator(tx, deps, user, {
      action: 'factor.removed',
      detail: { factors: removed },
    })
    return removed
  })
}
