import { sql } from 'kysely'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import { DEEP_LINK_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'
import { literal } from '../db/partial-index.ts'
import { withRowLock } from '../db/row-locks.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

/** Returns false when another link, of any merchant, has the slug. */
export async function insertDeepLink(tx: Tx, link: DeepLinkRow): Promise<boolean> {
  const result = await tx
    .insertInto('deep_links')
    .values(link)
    .onConflict((conflict) => conflict.column('slug').where('slug', 'is not', null).doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Gets the deep link with an id or slug. Throws a 404 ApiError. */
export const lookupDeepLink = lookup(
  'Deep link',
  DEEP_LINK_ID,
  (db, instanceId, id) => ofInstance(db, instanceId).where('id', '=', id).executeTakeFirst(),
  (db, instanceId, slug) => ofInstance(db, instanceId).where('slug', '=', slug).executeTakeFirst(),
)

function ofInstance(db: Db | Tx, instanceId: string) {
  return db.selectFrom('deep_links').selectAll().where('instance_id', '=', instanceId)
}

/**
 * Finds a deep link of any instance: payers are authorized by knowing its URL. A slug is found in any case,
 * because payers type it from a poster on keyboards that begin with a capital letter.
 */
export async function findDeepLink(
  db: Db | Tx,
  idOrSlug: string,
): Promise<DeepLinkRow | undefined> {
  // PostgreSQL rejects a text that contains NUL, and no slug does.
  if (idOrSlug.includes('\0')) return undefined
  return db
    .selectFrom('deep_links')
    .selectAll()
    .$call((links) =>
      DEEP_LINK_ID.test(idOrSlug)
        ? links.where('id', '=', idOrSlug)
        : links.where('slug', '=', idOrSlug.toLowerCase()),
    )
    .executeTakeFirst()
}

export async function findDeepLinkById(db: Db | Tx, id: string): Promise<DeepLinkRow | undefined> {
  return db.selectFrom('deep_links').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Archived links are left out unless the criteria name `archived`; those of `hidden` actions always are. */
export function listDeepLinks(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
  hidden: readonly DeepLinkRow['action'][],
): Promise<Page<DeepLinkRow>> {
  return readPage(turn, list, (db) =>
    ofInstance(db, instanceId)
      .$if(hidden.length > 0, (links) => links.where('action', 'not in', hidden))
      .$if(!list.named.has('archived'), (links) => links.where('archived', 'is', null))
      .where(list.where),
  )
}

/** The columns that an edit writes. Payments write the uses. */
export type DeepLinkEdit = Pick<
  DeepLinkRow,
  | 'slug'
  | 'options'
  | 'options_v'
  | 'max_uses'
  | 'expires'
  | 'expiry_recorded'
  | 'updated_session'
  | 'updated'
>

/**
 * Writes an edited link. Returns undefined when it was changed after `stored` was read, or when
 * payments under way have taken uses that the new `max_uses` does not leave.
 */
export async function updateDeepLink(
  tx: Tx,
  stored: Pick<DeepLinkRow, 'id' | 'v'>,
  edit: DeepLinkEdit,
): Promise<DeepLinkRow | undefined> {
  return tx
    .updateTable('deep_links')
    .set({ ...edit, v: stored.v + 1 })
    .where('id', '=', stored.id)
    .where('v', '=', stored.v)
    .where('archived', 'is', null)
    .$if(edit.max_uses !== null, (link) =>
      link.where(sql<boolean>`uses + reserved_uses <= ${edit.max_uses}`),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Locks a deep link until the transaction ends. Locked before its payment links and their sessions. */
export async function lockDeepLink(tx: Tx, id: string): Promise<DeepLinkRow> {
  return tx
    .selectFrom('deep_links')
    .selectAll()
    .where('id', '=', id)
    .$call(withRowLock(tx, 'update'))
    .executeTakeFirstOrThrow()
}

/** Returns undefined when the link is already archived. */
export async function archiveDeepLinkRow(
  tx: Tx,
  id: string,
  change: Pick<DeepLinkRow, 'archived' | 'updated' | 'updated_session'>,
): Promise<DeepLinkRow | undefined> {
  return tx
    .updateTable('deep_links')
    .set({ ...change, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .where('archived', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Lists links that expired by `now` without a recorded event: of all instances with the real clock, or
 * of the instance `instanceId`, whose test clock was moved.
 */
export async function listUnrecordedExpiries(
  db: Db,
  now: string,
  limit: number,
  instanceId?: string,
): Promise<Pick<DeepLinkRow, 'id'>[]> {
  return db
    .selectFrom('deep_links')
    .select('id')
    .where('expires', 'is not', null)
    .where('expires', '<=', now)
    .where('expiry_recorded', '=', literal(0))
    .where(onTestClock('deep_links.instance_id', instanceId))
    .orderBy('expires')
    .limit(limit)
    .execute()
}

/**
 * Marks the expiry of a link as recorded, and returns the link for the caller that must record the
 * event. Returns undefined when it was recorded before or the expiry was changed, and for a link that
 * was archived before its expiry.
 */
export async function markExpiryRecorded(
  tx: Tx,
  id: string,
  now: string,
): Promise<DeepLinkRow | undefined> {
  const due = tx
    .updateTable('deep_links')
    .where('id', '=', id)
    .where('expiry_recorded', '=', 0)
    .where('expires', '<=', now)
  const expired = await due
    .set({ expiry_recorded: 1, updated: now, v: sql<number>`v + 1` })
    .where((eb) => eb.or([eb('archived', 'is', null), eb('archived', '>', eb.ref('expires'))]))
    .returningAll()
    .executeTakeFirst()
  if (!expired) await due.set({ expiry_recorded: 1 }).execute()
  return expired
}
