import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { deleteDeliveries } from './deliveries.ts'
import { deleteWebhook, getWebhook, stopWebhook } from './store.ts'

const BATCH = 500

/**
 * Deletes a webhook with everything that went or waits to go to it. A receiver that was dead for
 * days leaves so much behind that it is deleted in parts, after the webhook was stopped.
 */
export async function removeWebhook(
  { db }: Pick<Deps, 'db'>,
  instanceId: string,
  id: string,
): Promise<void> {
  await getWebhook(db, instanceId, id)
  await stopWebhook(db, instanceId, id)
  // A replay may be writing them in another order, so either may have to begin its part again.
  const deletePart = () => inTransaction(db, (tx) => deleteDeliveries(tx, instanceId, id, BATCH))
  while ((await deletePart()) === BATCH);
  await deleteWebhook(db, instanceId, id)
}
