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
  { db }: Pick<Deps, 'db'>,
  instanceId: string,
  id: string,
): Promise<void> {
  await getWebhook(db, instanceId, id)
  await disableWebhookRow(db, instanceId, id)
  // A replay may lock the same rows in another order: a deadlock repeats the batch.
  const deleteBatch = () => inTransaction(db, (tx) => deleteDeliveries(tx, instanceId, id, BATCH))
  while ((await deleteBatch()) === BATCH);
  await deleteWebhookRow(db, instanceId, id)
}
