import {
  type NewRoute,
  type RouteChange,
  ROUTES_MAX,
  type RoutesReplacement,
} from '../../shared/schemas/legal-entity-route.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { LegalEntityRouteRow } from '../db/tables/legal-entities.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { newId } from '../ids.ts'
import { lockEntities } from '../legal-entities/store.ts'
import { placed } from './positions.ts'
import { getRoute, listAllRoutes } from './store.ts'
import { validateRoute } from './validate.ts'
import { writeOrder } from './write-order.ts'

/** Changes of an instance's routes. They run one after another, each in one transaction. */

type RouteDeps = Pick<Deps, 'db' | 'now'>

interface Caller {
  instanceId: string
  /** Id of the caller's session. */
  by: string
}

/** Creates a route at its position, or at the end; the routes behind it move. */
export async function createRoute(
  deps: RouteDeps,
  caller: Caller,
  { position, ...members }: NewRoute,
): Promise<LegalEntityRouteRow> {
  return changeOrder(deps, caller, async (tx, present, now) => {
    if (present.length >= ROUTES_MAX) {
      throw invalidState(`An instance may have at most ${ROUTES_MAX} legal entity routes`)
    }
    const at = position ?? present.length + 1
    requirePosition(at, present.length + 1)
    const row = editRoute(newRow(caller, now), members)
    await validateRoute(tx, row, members, 'legal_entity_route')
    return { after: placed(present, row, at), id: row.id }
  })
}

/** Changes the given members of a route. A new position moves the routes between. */
export async function changeRoute(
  deps: RouteDeps,
  caller: Caller,
  id: string,
  { change, ifMatch }: { change: RouteChange; ifMatch: number | undefined },
): Promise<LegalEntityRouteRow> {
  return changeOrder(deps, caller, async (tx, present) => {
    const stored = await getRoute(tx, caller.instanceId, id)
    expectVersion('Legal entity route', stored, ifMatch)
    const { position = stored.position, ...members } = change
    requirePosition(position, present.length)
    const row = editRoute(stored, members)
    await validateRoute(tx, row, members, 'legal_entity_route')
    return { after: placed(present, row, position), id }
  })
}

/** Deletes a route; those behind it move up. */
export async function deleteRoute(
  deps: RouteDeps,
  caller: Caller,
  id: string,
  ifMatch: number | undefined,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockEntities(tx, caller.instanceId)
    const stored = await getRoute(tx, caller.instanceId, id)
    expectVersion('Legal entity route', stored, ifMatch)
    const present = await listAllRoutes(tx, caller.instanceId)
    const after = present.filter((route) => route.id !== id)
    await writeOrder(tx, after, { ...caller, now: deps.now() })
  })
}

/** Replaces all routes at once. */
export async function replaceRoutes(
  deps: RouteDeps,
  caller: Caller,
  replacement: RoutesReplacement,
): Promise<LegalEntityRouteRow[]> {
  return inTransaction(deps.db, async (tx) => {
    await lockEntities(tx, caller.instanceId)
    const now = deps.now()
    const present = new Map(
      (await listAllRoutes(tx, caller.instanceId)).map((route) => [route.id, route]),
    )
    const after: LegalEntityRouteRow[] = []
    for (const [at, { id, ...members }] of replacement.entries()) {
      const path = `legal_entity_routes.${at}`
      const stored = id === undefined ? newRow(caller, now) : present.get(id)
      if (!stored) throw invalid(`${path}.id`, 'does not exist')
      if (after.some((other) => other.id === stored.id)) {
        throw invalid(`${path}.id`, 'is in the list already')
      }
      const row = editRoute(stored, members)
      await validateRoute(tx, row, members, path)
      after.push(row)
    }
    return writeOrder(tx, after, { ...caller, now })
  })
}

async function changeOrder(
  deps: RouteDeps,
  caller: Caller,
  edit: (
    tx: Tx,
    present: LegalEntityRouteRow[],
    now: number,
  ) => Promise<{ after: LegalEntityRouteRow[]; id: string }>,
): Promise<LegalEntityRouteRow> {
  return inTransaction(deps.db, async (tx) => {
    await lockEntities(tx, caller.instanceId)
    const now = deps.now()
    const present = await listAllRoutes(tx, caller.instanceId)
    const { after, id } = await edit(tx, present, now)
    const written = await writeOrder(tx, after, { ...caller, now })
    return written.find((route) => route.id === id) as LegalEntityRouteRow
  })
}

function requirePosition(position: number, last: number): void {
  if (position > last) {
    throw invalid('legal_entity_route.position', `must be at most ${last}`)
  }
}

function editRoute(
  stored: LegalEntityRouteRow,
  { legal_entity, when, processor, enabled, description }: Omit<RouteChange, 'position'>,
): LegalEntityRouteRow {
  return {
    ...stored,
    ...(legal_entity !== undefined && { legal_entity_id: legal_entity }),
    ...(when !== undefined && { conditions: JSON.stringify(when) }),
    ...(processor !== undefined && { processor_id: processor }),
    ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    ...(description !== undefined && { description }),
  }
}

function newRow({ instanceId, by }: Caller, now: number): LegalEntityRouteRow {
  const created = formatInstant(now)
  return {
    id: newId('ler', now),
    instance_id: instanceId,
    position: 0,
    legal_entity_id: '',
    conditions: '{}',
    processor_id: null,
    enabled: 1,
    description: null,
    created_session: by,
    updated_session: by,
    created,
    updated: created,
    v: 1,
  }
}
