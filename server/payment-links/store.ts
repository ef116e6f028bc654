import { sql } from 'kysely'
import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import type { Selectable } from 'kysely'
import type { Db, PaymentLinksTable, Tx } from '../db/tables.ts'
import { notFound } from '../http/refusal.ts'
import type { Instance } from '../instances/store.ts'

export type LinkRow = Selectable<PaymentLinksTable>

/** A link with what its sessions and payments tell about it. */
export interface LinkWithHistory extends LinkRow {
  opened: string | null
  last_opened: string | null
  attempts: number
}

export async function insertLink(db: Db | Tx, link: LinkRow): Promise<void> {
  await db.insertInto('payment_links').values(link).execute()
}

/** A link of this instance; another instance's link is as unknown as one that never was. */
export async function getLink(db: Db | Tx, instanceId: string, id: string): Promise<LinkRow> {
  const link = await findLink(db, id)
  if (!link || link.instance_id !== instanceId) throw notFound('Payment link')
  return link
}

export async function getLinkWithHistory(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<LinkWithHistory> {
  if (!PAYMENT_LINK_ID.test(id)) throw notFound('Payment link')
  const link = await db
    .selectFrom('payment_links as link')
    .selectAll('link')
    .select((eb) => [
      eb
        .selectFrom('checkouts')
        .select((c) => c.fn.min('checkouts.created').as('at'))
        .whereRef('checkouts.payment_link_id', '=', 'link.id')
        .as('opened'),
      eb
        .selectFrom('checkouts')
        .select((c) => c.fn.max('checkouts.created').as('at'))
        .whereRef('checkouts.payment_link_id', '=', 'link.id')
        .as('last_opened'),
      eb
        .selectFrom('payments')
        .select((c) => c.fn.countAll<number>().as('count'))
        .whereRef('payments.payment_link_id', '=', 'link.id')
        .as('attempts'),
    ])
    .where('link.id', '=', id)
    .where('link.instance_id', '=', instanceId)
    .executeTakeFirst()
  if (!link) throw notFound('Payment link')
  return { ...link, attempts: link.attempts ?? 0 }
}

/** A link by its id alone: the payer holds the address, which is the permission. */
export async function findLink(db: Db | Tx, id: string): Promise<LinkRow | undefined> {
  if (!PAYMENT_LINK_ID.test(id)) return undefined
  return db.selectFrom('payment_links').selectAll().where('id', '=', id).executeTakeFirst()
}

const INSTANCE_COLUMNS = [
  'id',
  'merchant_id',
  'key',
  'name',
  'mode',
  'default_currency',
  'timezone',
  'languages',
  'allowed_origins',
  'theme',
  'link_saved_methods',
  'brandings',
  'strings_version',
  'created',
  'updated',
  'v',
] as const

/** A link and the instance that it belongs to, in one read: what a payer's page begins with. */
export async function findLinkAndInstance(
  db: Db,
  id: string,
): Promise<{ link: LinkRow; instance: Instance } | undefined> {
  if (!PAYMENT_LINK_ID.test(id)) return undefined
  const row = await db
    .selectFrom('payment_links')
    .innerJoin('instances', 'instances.id', 'payment_links.instance_id')
    .selectAll('payment_links')
    .select(INSTANCE_COLUMNS.map((name) => `instances.${name} as i_${name}` as const))
    .where('payment_links.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const link: Record<string, unknown> = {}
  const instance: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith('i_')) instance[name.slice(2)] = value
    else link[name] = value
  }
  return { link: link as unknown as LinkRow, instance: instance as unknown as Instance }
}

/** What an edit may write. Status, claim and relations belong to whoever pays the link. */
export type LinkEdit = Pick<
  LinkRow,
  'expires' | 'options' | 'options_v' | 'state' | 'updated' | 'v'
>

/**
 * Writes an edited link if nobody edited it since it was read; false otherwise, and the caller
 * reads again. New options are written only while nobody is paying: a payer who holds the claim
 * has agreed to the old ones.
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

/** Archives a link once; a second time changes nothing. Throws 404 for an unknown one. */
export async function archiveLink(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: string,
): Promise<void> {
  if (!PAYMENT_LINK_ID.test(id)) throw notFound('Payment link')
  const result = await db
    .updateTable('payment_links')
    .set({ archived: now, updated: now, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .where('archived', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) await getLink(db, instanceId, id)
}
