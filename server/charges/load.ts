import type { LoadMany } from '../http/expand.ts'
import { serializeCharge } from './serialize.ts'

/** For `expand=charge` (contract section 15.4). */
export const loadCharges: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('charges')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map((row) => [row.id, serializeCharge(row)]))
}
