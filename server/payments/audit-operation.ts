import { amountText } from '../../shared/rules/currency.ts'
import type { AuditAction } from '../../shared/rules/audit-actions.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'

/** An operation as the audit log has it. */
interface Operation {
  action: Extract<AuditAction, `payment.${string}`>
  /** Id of the actor session; undefined for what the server does by itself. */
  by: string | undefined
  instanceId: string
  /** Id of the record that the operation makes. */
  id: string
  /** Id of the payment. */
  payment: string
  /** Minor units. */
  amount: number
  currency: string
}

/**
 * Writes into the audit log that a user captures, refunds or voids. Programs are left out: each of their
 * operations has a record that names its session.
 */
export async function auditOperation(
  { realNow }: Pick<Deps, 'realNow'>,
  tx: Tx,
  { action, by, instanceId, id, payment, amount, currency }: Operation,
): Promise<void> {
  if (by === undefined) return
  await recordAudit(tx, {
    at: realNow(),
    by: { type: 'SESSION', id: by },
    of: { instance: instanceId },
    action,
    about: id,
    detail: { payment, amount: amountText(amount, currency), currency },
    peopleOnly: true,
  })
}
