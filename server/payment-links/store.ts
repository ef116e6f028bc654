import { sql } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import { notFound } from '../errors.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import type { contentColumns } from './content.ts'

export async function insertLink(db: Db | Tx, link: LinkRow): Promise<void> {
  await insert(db, link)
}

const insert = compiledQuery((db: Db, link: LinkRow) => db.insertInto('payment_links').values(link))

/** Throws 404 for an unknown link, and for a link of another instance. */
export async function getLink(db: Db | Tx, instanceId: string, id: string): Promise<LinkRow> {
  const link = await findLink(db, id)
  if (!link || link.instance_id !== instanceId) throw notFound('Payment link')
  return link
}

/** Finds a link of any instance: payers are authorized by knowing its URL. */
export async function findLink(db: Db | Tx, id: string): Promise<LinkRow | undefined> {
  if (!PAYMENT_LINK_ID.test(id)) return undefined
  return (await selectById(db, { id })).rows[0]
}

const selectById = compiledQuery((db: Db, { id }: { id: string }) =>
  db.selectFrom('payment_links').selectAll().where('id', '=', id),
)

const INSTANCE_COLUMNS = [
  'id',
  'merchant_id',
  'key',
  'name',
  'mode',
  'twin',
  'default_currency',
  'timezone',
  'languages',
  'allowed_origins',
  'theme',
  'link_saved_methods',
  'step_up_refund',
  'support_refund_max',
  'brandings',
  'strings_version',
  'legal_entities_version',
  'created',
  'updated',
  'v',
  'disabled',
  'clock_offset_ms',
  'clock_target',
] as const

const INSTANCE_ALIASES = INSTANCE_COLUMNS.map((name) => [name, `i_${name}`] as const)

/** Finds a link and its instance in one query. */
export async function findLinkAndInstance(
  db: Db,
  id: string,
): Promise<{ link: LinkRow; instance: Instance } | undefined> {
  if (!PAYMENT_LINK_ID.test(id)) return undefined
  const [row] = (await selectWithInstance(db, { id })).rows
  if (!row) return undefined
  const columns = row as unknown as Record<string, unknown>
  linkColumns ??= Object.keys(columns).filter((name) => !name.startsWith('i_'))
  const link: Record<string, unknown> = {}
  const instance: Record<string, unknown> = {}
  for (const name of linkColumns) link[name] = columns[name]
  for (const [name, alias] of INSTANCE_ALIASES) instance[name] = columns[alias]
  return { link: link as unknown as LinkRow, instance: instance as unknown as Instance }
}

/** Those of `payment_links`, of the first row that is read. */
let linkColumns: readonly string[] | undefined

const selectWithInstance = compiledQuery((db: Db, { id }: { id: string }) =>
  db
    .selectFrom('payment_links')
    .innerJoin('instances', 'instances.id', 'payment_links.instance_id')
    .selectAll('payment_links')
    .select(INSTANCE_ALIASES.map(([name, alias]) => `instances.${name} as ${alias}` as const))
    .where('payment_links.id', '=', id),
)

/** The columns that an edit writes. Payments write status, claim and relations. */
export type LinkEdit = Pick<
  LinkRow,
  keyof ReturnType<typeof contentColumns> | 'expiry_told' | 'options_v' | 'updated' | 'v'
>

/**
 * Writes an edited link. Returns false when it was changed after `stored` was read. New options are
 * written only while the link is unclaimed, because the paying payer agreed to the old ones.
 */
export async function updateLink(db: Db | Tx, stored: LinkRow, edit: LinkEdit): Promise<boolean> {
  let query = db
    .updateTable('payment_links')
    .set(edit)
    .where('id', '=', stored.id)
    .where('instance_id', '=', stored.instance_id)
    .where('v', '=', stored.v)
  if (edit.options_v !== stored.options_v) query = query.where('claim', 'is', null)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Locks a link until the transaction ends, so that no session is opened on it meanwhile.
 */
export async function lockLink(tx: Tx, instanceId: string, id: string): Promise<void> {
  await tx
    .selectFrom('payment_links')
    .select('id')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .$call(withRowLock(tx, 'update'))
    .execute()
}

/** Returns false when the link is already archived or does not belong to the instance. */
export async function archiveLinkRow(
  tx: Tx,
  instanceId: string,
  id: string,
  now: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('payment_links')
    .set({ archived: now, updated: now, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .where('archived', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Marks a link as opened. Returns true only for its first session. */
export async function markOpened(tx: Tx, id: string, now: string): Promise<boolean> {
  return (await setOpened(tx, { id, now })).numAffectedRows === 1n
}

const setOpened = compiledQuery((db: Db, { id, now }: { id: string; now: string }) =>
  db
    .updateTable('payment_links')
    .set({ opening_told: 1, updated: now, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('opening_told', '=', 0),
)

/**
 * Lists links that expired by `now` without a recorded event: of all instances with the real clock, or
 * of the instance `instanceId`, whose test clock was moved.
 */
export async function listUnrecordedExpiries(
  db: Db,
  now: string,
  limit: number,
  instanceId?: string,
): Promise<Pick<LinkRow, 'id' | 'instance_id'>[]> {
  return db
    .selectFrom('payment_links')
    .select(['id', 'instance_id'])
    .where('expires', 'is not', null)
    .where('expires', '<=', now)
    .where('expiry_told', '=', literal(0))
    .where('status', '<>', 'PAYMENT_PENDING')
    .where(onTestClock('payment_links.instance_id', instanceId))
    .orderBy('expires')
    .limit(limit)
    .execute()
}

/**
 * Marks the expiry of a link as recorded. Returns true for the caller that must record the event, and
 * false when it was recorded before or the expiry was changed. A link that was paid or archived
 * before its expiry is marked too, so that it is not listed again, but returns false.
 */
export async function markExpiryRecorded(tx: Tx, id: string, now: string): Promise<boolean> {
  const due = tx
    .updateTable('payment_links')
    .where('id', '=', id)
    .where('expiry_told', '=', 0)
    .where('expires', '<=', now)
  const expired = await due
    .set({ expiry_told: 1, updated: now, v: sql<number>`v + 1` })
    .where('status', '=', 'ACTIVE')
    .where((eb) => eb.or([eb('archived', 'is', null), eb('archived', '>', eb.ref('expires'))]))
    .executeTakeFirst()
  if (expired.numUpdatedRows === 1n) return true
  await due
    .set({ expiry_told: 1 })
    .where((eb) =>
      eb.or([eb('status', '=', 'PAYMENT_SUCCESS'), eb('archived', '<=', eb.ref('expires'))]),
    )
    .execute()
  return false
}

/** Returns whether one of these instances has a payment link. */
export async function hasLinks(db: Db, instanceIds: readonly string[]): Promise<boolean> {
  // PostgreSQL has no empty list.
  if (instanceIds.length === 0) return false
  const link = await db
    .selectFrom('payment_links')
    .select('id')
    .where('instance_id', 'in', instanceIds)
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}
