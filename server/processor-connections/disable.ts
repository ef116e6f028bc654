import { formatInstant } from '../../shared/rules/time.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalidState } from '../errors.ts'
import { auditChange, type ConnectionDeps, recordChange } from './record-change.ts'
import {
  type ConnectionRow,
  countOpenOperations,
  getConnection,
  updateConnection,
} from './store.ts'

/**
 * Ends new payments of a connection and keeps it for refunds and disputes. Throws a 400 ApiError while
 * operations have no final outcome. Does nothing to one that is disabled.
 */
export async function disableConnection(
  deps: ConnectionDeps,
  instance: Pick<Instance, 'id'>,
  id: string,
  actorSession: string,
): Promise<ConnectionRow> {
  return retryOnConflict('Processor', () =>
    inTransaction(deps.db, async (tx) => {
      const stored = await getConnection(tx, instance.id, id)
      if (stored.status === 'DISABLED') return stored
      const open = await countOpenOperations(tx, id)
      if (open > 0) {
        throw invalidState(
          `The processor has ${open === 1 ? 'a payment or refund' : `${open} payments or refunds`} without an outcome`,
        )
      }
      const columns = {
        status: 'DISABLED' as const,
        updated: formatInstant(deps.now()),
        updated_session: actorSession,
      }
      if (!(await updateConnection(tx, stored, columns))) return undefined
      const row = { ...stored, ...columns, v: stored.v + 1 }
      await recordChange(deps, tx, 'processor.disabled', row)
      await auditChange(deps, tx, row, { action: 'processor.disabled' })
      return row
    }),
  )
}
