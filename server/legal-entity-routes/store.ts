import { LEGAL_ENTITY_ROUTE_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'
import type { LegalEntityRouteRow } from '../db/tables/legal-entities.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'

/** Throws a 404 ApiError when the instance does not have the route. */
export const getRoute = lookup(
  'Legal entity route',
  LEGAL_ENTITY_ROUTE_ID,
  (db, instanceId, id): Promise<LegalEntityRouteRow | undefined> =>
    db
      .selectFrom('legal_entity_routes')
      .selectAll()
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** Returns all routes of an instance in their order. */
export async function listAllRoutes(
  db: Db | Tx,
  instanceId: string,
): Promise<LegalEntityRouteRow[]> {
  return db
    .selectFrom('legal_entity_routes')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('position')
    .execute()
}

export function listRoutes(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<LegalEntityRouteRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('legal_entity_routes')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}
