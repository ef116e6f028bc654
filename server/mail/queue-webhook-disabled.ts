import type { Selectable } from 'kysely'
import type { Tx } from '../db/tables.ts'
import type { WebhookEndpointsTable } from '../db/tables/webhooks.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { listInstanceUsers } from '../users/store.ts'
import { queueMail } from './outbox.ts'
import { instanceLocale } from './payer-locale.ts'

/** Users who get a mail about a webhook. */
const USERS_MAX = 20

/** Queues a mail to each user of the merchant, in the transaction that disables a webhook. */
export async function queueWebhookDisabled(
  deps: Pick<Deps, 'config' | 'realNow'>,
  tx: Tx,
  webhook: Pick<Selectable<WebhookEndpointsTable>, 'id' | 'instance_id' | 'updated'>,
): Promise<void> {
  if (deps.config.mail === undefined) return
  const instance = await getInstance(tx, webhook.instance_id)
  for (const user of await listInstanceUsers(tx, instance, USERS_MAX)) {
    await queueMail(deps, tx, {
      instance_id: instance.id,
      kind: 'WEBHOOK_DISABLED',
      subject: `${webhook.id} ${webhook.updated} ${user.id}`,
      record_id: webhook.id,
      user_id: user.id,
      ...instanceLocale(instance),
    })
  }
}
