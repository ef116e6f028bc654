import { type Selectable, sql, type Updateable } from 'kysely'
import { WEBHOOK_ID } from '../../shared/rules/ids.ts'
import { foldedText } from '../db/fold-text.ts'
import type { Db, Tx, WebhookEndpointsTable } from '../db/tables.ts'
import { lockRow, withRowLock } from '../db/row-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { lookup } from '../db/lookup.ts'

/** Without the columns that serve lists alone, which every write fills in here. */
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

/** Keeps a webhook from being deleted until the transaction ends; 404 when it was. */
export async function lockWebhook(tx: Tx, instanceId: string, id: string): Promise<void> {
  await tx
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .$call(withRowLock(tx, 'key share'))
    .executeTakeFirstOrThrow(() => notFound('Webhook'))
}

/** One page of an instance's webhooks, and how many match in all. */
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

/** The enabled webhooks of an instance, none of which is deleted until the transaction ends. */
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
 * How many webhooks an instance has. Others who count for the same instance wait until this
 * transaction ends, so that two new ones cannot both be the last that fits.
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

/** Writes a change if nobody changed the webhook since it was read; undefined otherwise. */
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

/** Puts a new secret in the place of the present one, which signs too until then; 404 once deleted. */
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

/** Stops a webhook that is to be deleted, also for a change that was begun before. */
export async function stopWebhook(db: Db, instanceId: string, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ enabled: 0, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .execute()
}

export async function deleteWebhook(db: Db, instanceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .execute()
}

/**
 * A webhook at the address that was called: what came back from one that it had before says nothing
 * about the present one.
 */
type Called = Pick<WebhookRow, 'instance_id' | 'id' | 'url'>

/** Notes that the receiver took something: whatever failed before is forgotten. */
export async function markWorking(tx: Tx, { instance_id, id, url }: Called): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('url', '=', url)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Notes the first failure after a success; later ones change nothing. */
export async function markFailing(
  tx: Tx,
  { instance_id, id, url }: Called,
  now: string,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('url', '=', url)
    .where('failing_since', 'is', null)
    .execute()
}

/**
 * Disables a webhook of which nothing but failures came back since `failingSince` or longer.
 * Answers it as it is now, or undefined when that is not so, or somebody else was faster.
 */
export async function disableFailing(
  tx: Tx,
  { instance_id, id, url }: Called,
  failingSince: string,
  change: Pick<WebhookRow, 'updated' | 'updated_session'>,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhook_endpoints')
    .set({ ...change, enabled: 0, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('url', '=', url)
    .where('enabled', '=', 1)
    .where('failing_since', '<=', failingSince)
    .returningAll()
    .executeTakeFirst()
}

/** How many webhooks are yet to be taken by receivers that are not shut, and since when the oldest is. */
export async function waitingDeliveries(db: Db): Promise<{ count: number; oldest: string | null }> {
  return db
    .selectFrom('deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select((eb) => eb.fn.min('deliveries.created').as('oldest'))
    .where('deliveries.next_attempt', 'is not', null)
    .where('webhook_endpoints.enabled', '=', 1)
    .executeTakeFirstOrThrow()
}
