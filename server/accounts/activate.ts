import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { recordAccountEvent } from './events.ts'

/**
 * Activates a PENDING account, whose payer has saved a method, and records the event. `now` is epoch
 * milliseconds.
 */
export async function activateAccount(tx: Tx, id: string, now: number): Promise<void> {
  const account = await tx
    .updateTable('accounts')
    .set({ status: 'ACTIVE', updated: formatInstant(now), v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .returningAll()
    .executeTakeFirst()
  if (account) await recordAccountEvent(tx, 'account.updated', account, now)
}
