import { VIEW_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { NewView } from '../../shared/schemas/view.ts'
import { lookup } from '../db/lookup.ts'
import { lockRow } from '../db/row-locks.ts'
import type { ViewRow } from '../db/tables/views.ts'
import type { Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { ApiError, invalidState } from '../errors.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { newId } from '../ids.ts'

const VIEWS_MAX = 200

const getView = lookup('View', VIEW_ID, (db, instanceId, id): Promise<ViewRow | undefined> =>
  db
    .selectFrom('views')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst(),
)

export function listViews(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<ViewRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('views').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/**
 * Shares a view. `now` is epoch milliseconds. Throws DUPLICATE when the list has a view of this name, and
 * INVALID_STATE when the instance has too many.
 */
export async function createView(
  tx: Tx,
  instanceId: string,
  { name, list, query }: NewView,
  { now, session }: { now: number; session: string },
): Promise<ViewRow> {
  // Two at once wait for each other.
  await lockRow(tx, 'instances', instanceId)
  const others = await tx
    .selectFrom('views')
    .select(['name', 'list'])
    .where('instance_id', '=', instanceId)
    .execute()
  if (others.some((other) => other.list === list && other.name === name)) {
    throw new ApiError('DUPLICATE', 'view.name is taken by another view of this list')
  }
  if (others.length >= VIEWS_MAX) {
    throw invalidState(`An instance may have at most ${VIEWS_MAX} views`)
  }
  return tx
    .insertInto('views')
    .values({
      id: newId('vw', now),
      instance_id: instanceId,
      name,
      list,
      query,
      created_session: session,
      created: formatInstant(now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Throws a 404 ApiError when the instance does not have the view. */
export async function deleteView(tx: Tx, instanceId: string, id: string): Promise<void> {
  const view = await getView(tx, instanceId, id)
  await tx.deleteFrom('views').where('id', '=', view.id).execute()
}
