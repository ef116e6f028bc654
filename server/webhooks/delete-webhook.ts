import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { deleteDeliveries } from './deliveries.ts'
import { deleteWebhookRow, getWebhook, disableWebhookRow } from './store.ts'

const BATCH = 500

/**
 * Deletes a webhook with its deliveries. There may be very many, so the webhook is disabled first
 * and the deliveries are deleted in batches.
 */
export async function deleteWebhook(
  { db, realNow }: Pick<Deps, 'db' | 'realNow'>,
  instanceId: string,
  id: string,
  by: AuditActor,
): Promise<void> {
  await getWebhook(db, instanceId, id)
  await inTransaction(db, async (tx) => {
    await disableWebhookRow(tx, instanceId, id)
    const [of, action] = [{ instance: instanceId }, 'webhook.deleted'] as const
    await recordAudit(tx, { at: realNow(), by, of, action, about: id })
  })
  // A replay may lock the same rows in another order: a deadlock repeats the batch.
  const deleteBatch = () => inTransaction(db, (tx) => deleteDeliveries(tx, instanceId, id, BATCH))
  while ((await deleteBatch()) === BATCH);
  await deleteWebhookRow(db, instanceId, id)
}
