import { formatInstant } from '../../shared/rules/time.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { getRefund } from './refunds.ts'
import { updateRefund } from './update-refund.ts'

/**
 * Records the result of a manual refund: one that the merchant makes outside Checkstand because the
 * processor has no refunds. Throws INVALID_STATE for a refund that is not manual or not pending.
 */
export async function resolveManualRefund(
  deps: Deps,
  instance: Instance,
  id: string,
  status: 'SUCCESS' | 'DECLINED',
  by: AuditActor,
): Promise<RefundRow> {
  await getRefund(deps.db, instance.id, id)
  return inTransaction(deps.db, async (tx) => {
    const locked = await tx
      .updateTable('refunds')
      .set({ updated: formatInstant(deps.now()) })
      .where('id', '=', id)
      .where('instance_id', '=', instance.id)
      .where('manual', '=', 1)
      .where('status', '=', 'PENDING')
      .returning('id')
      .executeTakeFirst()
    if (!locked) {
      // Read after the lock was refused: by then a concurrent request has committed its status.
      const refund = await getRefund(tx, instance.id, id)
      if (refund.status === status && refund.manual === 1) return refund
      throw invalidState('Refund is not a pending manual refund')
    }
    const refund = await updateRefund(tx, id, { status }, { final: true, now: deps.now() })
    if (refund.status === 'SUCCESS') await deps.onRefunded(deps, tx, refund)
    await recordAudit(tx, {
      at: deps.realNow(),
      by,
      of: { instance: instance.id },
      action: 'refund.decided',
      about: id,
      detail: { status },
      peopleOnly: true,
    })
    return refund
  })
}
