import type { LoadMany } from '../http/expand.ts'
import { serializeAccount } from './store.ts'

/** For `expand=account` (contract section 15.4). */
export const loadAccounts: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map((row) => [row.id, serializeAccount(row)]))
}
