import type { ExpressionBuilder } from 'kysely'
import type { LinkWithHistory } from '../db/tables/payment-links.ts'
import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import { listInOrder } from '../db/batches.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'

/** Throws 404 for a link that the instance does not have. */
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

/** Returns links in no particular order. Unknown ids are skipped. */
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

/** Returns links in the order of `ids`. Unknown ids are skipped. */
export async function listLinksInOrder(
  db: Db,
  instanceId: string,
  ids: readonly string[],
): Promise<LinkWithHistory[]> {
  return listInOrder(ids, (batch) => listLinksByIds(db, instanceId, batch))
}

/**
 * Returns one page of ids and the total number of matches. Only ids, so that the history is computed
 * for the page alone. Archived links are left out unless the criteria name `archived`. With
 * `deepLinkId`, only the links of that deep link.
 */
export function listLinks(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
  deepLinkId?: string,
): Promise<Page<{ id: string }>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('payment_links')
      .select('id')
      .where('instance_id', '=', instanceId)
      .$if(deepLinkId !== undefined, (links) =>
        links.where('deep_link_id', '=', deepLinkId as string),
      )
      .$if(!list.named.has('archived'), (links) => links.where('archived', 'is', null))
      .where(list.where),
  )
}

/** Selects opening times and the numbers of attempts from a link's sessions, payments and free trials. */
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
    eb
      .selectFrom('method_setups')
      .select((c) => c.fn.countAll<number>().as('count'))
      .whereRef('method_setups.payment_link_id', '=', 'payment_links.id')
      .whereRef('method_setups.instance_id', '=', 'payment_links.instance_id')
      .as('trials'),
  ] as const
}

/** Includes the opening times of deleted sessions. Kysely types a subquery's count as nullable. */
function withHistory({
  trials,
  ...row
}: Omit<LinkWithHistory, 'attempts'> & {
  attempts: number | null
  trials: number | null
}): LinkWithHistory {
  const opened = [row.removed_opened, row.opened].filter((at) => at !== null).toSorted()
  const lastOpened = [row.removed_last_opened, row.last_opened]
    .filter((at) => at !== null)
    .toSorted()
  return {
    ...row,
    opened: opened[0] ?? null,
    last_opened: lastOpened.at(-1) ?? null,
    attempts: Number(row.attempts ?? 0) + Number(trials ?? 0),
  }
}

/**
 * Saves the opening times of sessions on their links before the sessions are deleted. Locks the
 * links in the order of their ids.
 */
export async function saveOpeningTimes(
  tx: Tx,
  sessions: readonly { payment_link_id: string | null; created: string }[],
): Promise<void> {
  const byLink = Map.groupBy(sessions, (session) => session.payment_link_id)
  for (const id of [...byLink.keys()].filter((key) => key !== null).toSorted()) {
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
