import { ofInstanceById } from '../db/by-ids.ts'
import type { LoadMany } from '../http/expand.ts'
import { chargeRecord } from './record.ts'

/** For `expand=charge` (contract section 15.4). */
export const loadCharges: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('charges')
    .selectAll()
    .where(ofInstanceById('charges', instanceId, ids))
    .execute()
  return new Map(rows.map((row) => [row.id, chargeRecord(row)]))
}
