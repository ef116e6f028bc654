import { sql } from 'kysely'
import type { Tx } from '../db/tables.ts'
import { invalidState } from '../errors.ts'

/**
 * Throws INVALID_STATE, with the id, when an active or paused contract or a charge that is scheduled or
 * being paid still uses a stored method: removing it would stop agreed payments unnoticed.
 */
export async function requireMethodUnused(
  tx: Tx,
  instanceId: string,
  methodId: string,
): Promise<void> {
  const contract = await tx
    .selectFrom('contracts')
    .select('id')
    .where('payment_method_id', '=', methodId)
    .where('instance_id', '=', instanceId)
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .limit(1)
    .executeTakeFirst()
  if (contract) {
    throw invalidState(
      `Payment method is charged for contract ${contract.id}; give the contract another payment_method or cancel it`,
    )
  }
  const charge = await tx
    .selectFrom('charges')
    .select('id')
    .where('payment_method_id', '=', methodId)
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'ACTIVE')
    .where(sql<boolean>`(next_attempt is not null or in_flight_amount > 0)`)
    .limit(1)
    .executeTakeFirst()
  if (charge) {
    throw invalidState(
      `Payment method will be charged for charge ${charge.id}; write the charge off or remove its due`,
    )
  }
}
