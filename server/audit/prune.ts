import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'

/** Rows of each transaction, which bounds how long other writers wait. */
const BATCH = 500

/** Deletes entries of the audit log that are older than AUDIT_RETENTION_DAYS (D286). */
export async function pruneAudit({
  db,
  now,
  config,
}: Pick<Deps, 'db' | 'now' | 'config'>): Promise<void> {
  const before = formatInstant(now() - config.auditRetentionMs)
  while ((await deleteBefore(db, before)) === BATCH);
}

async function deleteBefore(db: Deps['db'], before: string): Promise<number> {
  const result = await inTransaction(db, (tx) =>
    tx
      .deleteFrom('audit')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('audit')
          .select('id')
          .where('created', '<', before)
          .orderBy('created')
          .limit(BATCH),
      )
      .executeTakeFirst(),
  )
  return Number(result.numDeletedRows)
}
