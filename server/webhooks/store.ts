import { type Selectable, sql, type Updateable } from 'kysely'
import { WEBHOOK_ID } from '../../shared/rules/ids.ts'
import { foldedText } from '../db/fold-text.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { WebhookEndpointsTable } from '../db/tables/webhooks.ts'
import { lockRow, withRowLock } from '../db/row-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { lookup } from '../db/lookup.ts'

/** Without the folded columns, which every write derives. */
export type WebhookRow = Omit<Selectable<WebhookEndpointsTable>, 'url_lower' | 'description_lower'>

function foldedColumns({ url, description }: Pick<WebhookRow, 'url' | 'description'>) {
  return { url_lower: foldedText(url), description_lower: foldedText(description) }
}

/** Throws a 404 ApiError when the instance does not have the webhook. */
export const getWebhook = lookup(
  'Webhook',
  WEBHOOK_ID,
  (db, instanceId, id): Promise<WebhookRow | undefined> =>
    db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** Prevents the deletion of a webhook until the transaction ends. Throws 404 when it is deleted. */
export async function lockWebhook(tx: Tx, instanceId: string, id: string): Promise<void> {
  await tx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .$call(withRowLock(tx, 'key share'))
    .executeTakeFirstOrThrow(() => notFound('Webhook'))
}

export function listWebhooks(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<WebhookRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

/** Returns the enabled webhooks of an instance, which cannot be deleted until the transaction ends. */
export async function lockEnabledWebhooks(
  tx: Tx,
  instanceId: string,
): Promise<Pick<WebhookRow, 'id' | 'events'>[]> {
  return tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'events'])
    .where('instance_id', '=', instanceId)
    .where('enabled', '=', 1)
    .$call(withRowLock(tx, 'key share'))
    .execute()
}

/**
 * Returns the number of webhooks of an instance. Locks the instance, so that two concurrent
 * creations cannot both pass the limit.
 */
export async function lockAndCountWebhooks(tx: Tx, instanceId: string): Promise<number> {
  await lockRow(tx, 'instances', instanceId)
  const { total } = await tx
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('instance_id', '=', instanceId)
    .executeTakeFirstOrThrow()
  return total
}

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({ ...row, ...foldedColumns(row) })
    .execute()
}

/** Returns undefined when the webhook has changed since it was read. */
export async function updateWebhook(
  db: Db,
  read: Pick<WebhookRow, 'id' | 'instance_id' | 'v'>,
  change: Pick<WebhookRow, 'url' | 'description'> & Updateable<WebhookEndpointsTable>,
): Promise<WebhookRow | undefined> {
  return db
    .updateTable('webhook_endpoints')
    .set({ ...change, ...foldedColumns(change), v: read.v + 1 })
    .where('id', '=', read.id)
    .where('instance_id', '=', read.instance_id)
    .where('v', '=', read.v)
    .returningAll()
    .executeTakeFirst()
}

/** Replaces the secret and keeps the current one as the previous one. Throws 404. */
export async function replaceSecret(
  db: Db | Tx,
  { instance_id, id }: Pick<WebhookRow, 'instance_id' | 'id'>,
  change: Pick<WebhookRow, 'secret' | 'previous_until' | 'updated' | 'updated_session'>,
): Promise<WebhookRow> {
  return db
    .updateTable('webhook_endpoints')
    .set({ ...change, previous_secret: sql.ref('secret'), v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('Webhook'))
}

/** Disables a webhook before its deletion. A concurrent change fails its version check. */
export async function disableWebhookRow(db: Db, instanceId: string, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ enabled: 0, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .execute()
}

export async function deleteWebhookRow(db: Db, instanceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .execute()
}

/** Matches only while the webhook has the URL that was called: another URL has its own outcome. */
type CalledWebhook = Pick<WebhookRow, 'instance_id' | 'id' | 'url'>

export async function markWorking(tx: Tx, webhook: CalledWebhook): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where((eb) => eb.and(webhook))
    .where('failing_since', 'is not', null)
    .execute()
}

/** Records the first failure after a success; later ones change nothing. */
export async function markFailing(tx: Tx, webhook: CalledWebhook, now: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where((eb) => eb.and(webhook))
    .where('failing_since', 'is', null)
    .execute()
}

/**
 * Disables a webhook that has failed since `failingSince` or longer, and returns it. Returns
 * undefined when it has not, or is disabled already.
 */
export async function disableFailing(
  tx: Tx,
  webhook: CalledWebhook,
  failingSince: string,
  change: Pick<WebhookRow, 'updated' | 'updated_session'>,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhook_endpoints')
    .set({ ...change, enabled: 0, v: sql<number>`v + 1` })
    .where((eb) => eb.and(webhook))
    .where('enabled', '=', 1)
    .where('failing_since', '<=', failingSince)
    .returningAll()
    .executeTakeFirst()
}
