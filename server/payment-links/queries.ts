import type { ExpressionBuilder } from 'kysely'
import type { LinkRow } from '../db/rows.ts'
import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import { listInOrder } from '../db/batches.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'

/** Links as their merchant reads them: with when they were opened and tried (contract 6.1). */

/** A link with what its sessions and payments tell about it. */
export interface LinkWithHistory extends LinkRow {
  opened: string | null
  last_opened: string | null
  attempts: number
}

/** A link of this instance; 404 otherwise. */
export async function getLinkWithHistory(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<LinkWithHistory> {
  const { rows } = PAYMENT_LINK_ID.test(id) ? await selectOne(db, { id, instanceId }) : { rows: [] }
  if (!rows[0]) throw notFound('Payment link')
  return withHistory(rows[0])
}

const selectOne = compiledQuery((db: Db, { id, instanceId }: { id: string; instanceId: string }) =>
  ofInstance(db, instanceId).where('id', '=', id),
)

/** Links of this instance by their ids, in no order; unknown ids are left out. */
export async function listLinksByIds(
  db: Db | Tx,
  instanceId: string,
  ids: readonly string[],
): Promise<LinkWithHistory[]> {
  const rows = await ofInstance(db, instanceId).where('id', 'in', ids).execute()
  return rows.map(withHistory)
}

function ofInstance(db: Db | Tx, instanceId: string) {
  return db
    .selectFrom('payment_links')
    .selectAll()
    .select(history)
    .where('instance_id', '=', instanceId)
}

/** The links of this instance in the order of their ids; unknown ids are left out. */
export async function listLinksInOrder(
  db: Db,
  instanceId: string,
  ids: readonly string[],
): Promise<LinkWithHistory[]> {
  return listInOrder(ids, (batch) => listLinksByIds(db, instanceId, batch))
}

/**
 * The ids on one page of an instance's links, and how many match in all: the history is looked up
 * for these alone, whatever they are ordered by. Archived links are left out unless the criteria
 * name `archived` (contract section 6.4).
 */
export function listLinks(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<{ id: string }>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('payment_links')
      .select('id')
      .where('instance_id', '=', instanceId)
      .$if(!list.named.has('archived'), (links) => links.where('archived', 'is', null))
      .where(list.where),
  )
}

/** What a link's sessions and payments tell about it, for the `select` of a query on links. */
function history(eb: ExpressionBuilder<Tables, 'payment_links'>) {
  const sessions = eb
    .selectFrom('checkouts')
    .whereRef('checkouts.payment_link_id', '=', 'payment_links.id')
    .whereRef('checkouts.instance_id', '=', 'payment_links.instance_id')
  return [
    sessions.select((c) => c.fn.min('checkouts.created').as('at')).as('opened'),
    sessions.select((c) => c.fn.max('checkouts.created').as('at')).as('last_opened'),
    eb
      .selectFrom('payments')
      .select((c) => c.fn.countAll<number>().as('count'))
      .whereRef('payments.payment_link_id', '=', 'payment_links.id')
      .whereRef('payments.instance_id', '=', 'payment_links.instance_id')
      .as('attempts'),
  ] as const
}

/**
 * Sessions that were removed count too. A count is never null, which a query inside a query does
 * not say.
 */
function withHistory(
  row: Omit<LinkWithHistory, 'attempts'> & { attempts: number | null },
): LinkWithHistory {
  const opened = [row.removed_opened, row.opened].filter((at) => at !== null).toSorted()
  const lastOpened = [row.removed_last_opened, row.last_opened]
    .filter((at) => at !== null)
    .toSorted()
  return {
    ...row,
    opened: opened[0] ?? null,
    last_opened: lastOpened.at(-1) ?? null,
    attempts: row.attempts ?? 0,
  }
}

/**
 * Keeps with their links when sessions were opened that are about to be removed. Locks the links in
 * the order of their ids.
 */
export async function keepOpenings(
  tx: Tx,
  sessions: readonly { payment_link_id: string; created: string }[],
): Promise<void> {
  const byLink = Map.groupBy(sessions, (session) => session.payment_link_id)
  for (const id of [...byLink.keys()].toSorted()) {
    const opened = (byLink.get(id) ?? []).map(({ created }) => created).toSorted()
    const [first = '', last = ''] = [opened[0], opened.at(-1)]
    await tx
      .updateTable('payment_links')
      .set((link) => ({
        removed_opened: link
          .case()
          .when('removed_opened', '<', first)
          .then(link.ref('removed_opened'))
          .else(first)
          .end(),
        removed_last_opened: link
          .case()
          .when('removed_last_opened', '>', last)
          .then(link.ref('removed_last_opened'))
          .else(last)
          .end(),
      }))
      .where('id', '=', id)
      .execute()
  }
}
