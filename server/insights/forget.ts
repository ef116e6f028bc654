import type { AccountRow } from '../accounts/store.ts'
import { advisoryLock } from '../db/named-locks.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { FILING_LOCK } from './file.ts'

const TABLES = ['payments', 'payment_links', 'charges', 'contracts', 'refunds'] as const

/**
 * Removes the words by which an anonymized account and its records are found, and has what may still be
 * found filed anew. `now` is epoch milliseconds.
 */
export async function forgetWords(
  tx: Tx,
  { id, instance_id }: Pick<AccountRow, 'id' | 'instance_id'>,
  now: number,
): Promise<void> {
  await advisoryLock(tx, FILING_LOCK)
  const records = [id]
  for (const table of TABLES) {
    const rows = await tx
      .selectFrom(table as 'payments')
      .select('id')
      .where('instance_id', '=', instance_id)
      .where('account_id', '=', id)
      .execute()
    records.push(...rows.map((row) => row.id))
  }
  for (let start = 0; start < records.length; start += 500) {
    const batch = records.slice(start, start + 500)
    await tx.deleteFrom('search_words').where('record_id', 'in', batch).execute()
    await tx
      .insertInto('insight_changes')
      .values(batch.map((record_id) => ({ id: newId('ic', now), record_id })))
      .execute()
  }
}
