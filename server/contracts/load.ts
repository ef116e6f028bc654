import type { LoadMany } from '../http/expand.ts'
import { serializeContract } from './serialize.ts'

/** For `expand=contract` (contract section 15.4). */
export const loadContracts: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('contracts')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map((row) => [row.id, serializeContract(row)]))
}
