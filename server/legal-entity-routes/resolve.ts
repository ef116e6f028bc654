import {
  firstRoute,
  type Route,
  type RouteFacts,
  type RouteOutcome,
} from '../../shared/rules/legal-entity-route.ts'
import { createCache, getOrLoad, perDatabase } from '../cache.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { LegalEntityRouteRow, LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Db, Tx } from '../db/tables.ts'
import { parseCurrencies } from '../legal-entities/content.ts'
import { findLegalEntity, listActiveEntities } from '../legal-entities/store.ts'
import { parseConditions, parseWhen } from './serialize.ts'
import { listAllRoutes } from './store.ts'

type RoutedInstance = Pick<Instance, 'id' | 'legal_entities_version'>

/** To whom a payment belongs. */
export interface Payee {
  entity: LegalEntityRow
  /** The route that decided; undefined for the default and for a choice of the merchant. */
  route?: LegalEntityRouteRow
  /** The only connection that may take the payment; null for any. */
  processor: string | null
}

interface RouteOfEntity extends Route {
  row: LegalEntityRouteRow
  entity: LegalEntityRow
}

interface Routing {
  main: LegalEntityRow
  routes: RouteOfEntity[]
}

const routings = perDatabase(() => createCache<Promise<Routing | undefined>>(500))

/** Returns the routes of an instance, cached per version; undefined while it has no entities. */
async function getRouting(
  db: Db | Tx,
  { id, legal_entities_version: version }: RoutedInstance,
): Promise<Routing | undefined> {
  if (version === 0) return undefined
  return getOrLoad(routings(db), `${id}/${version}`, async () => {
    const entities = await listActiveEntities(db, id)
    const main = entities.find(({ is_default }) => is_default === 1)
    if (!main) return undefined
    const byId = new Map(entities.map((entity) => [entity.id, entity]))
    const routes = (await listAllRoutes(db, id)).flatMap((row) => {
      const entity = byId.get(row.legal_entity_id)
      if (!entity) return []
      const { processor_id: processor, enabled } = row
      const when = parseConditions(parseWhen(row))
      const currencies = parseCurrencies(entity)
      return [{ row, entity, when, processor, currencies, enabled: enabled === 1 }]
    })
    return { main, routes }
  })
}

interface PayeeOptions {
  /** The entity that the merchant chose. */
  chosen?: string | null | undefined
  /** Called once when the decision depends on a country that is not known. */
  findCountry?: () => Promise<string | null>
}

/**
 * Returns to whom a payment belongs: the entity that the merchant chose, also after it was archived,
 * else that of the first route, else the default. Returns undefined while the instance has no entities,
 * and `UNDECIDED` while it depends on a fact that is not known yet.
 */
export async function resolvePayee(
  { db }: { db: Db | Tx },
  instance: RoutedInstance,
  facts: RouteFacts,
  { chosen, findCountry }: PayeeOptions = {},
): Promise<Payee | 'UNDECIDED' | undefined> {
  const routing = await getRouting(db, instance)
  if (!routing) return undefined
  const entity = chosen == null ? undefined : await findLegalEntity(db, instance.id, chosen)
  if (entity) return { entity, processor: null }
  const outcome = await decide(routing.routes, facts, findCountry)
  if (outcome === 'UNDECIDED') return outcome
  if (outcome === 'NONE') return { entity: routing.main, processor: null }
  const { route } = outcome
  const processor = (await isDisabled(db, instance, route.processor)) ? null : route.processor
  return { entity: route.entity, route: route.row, processor }
}

async function decide(
  routes: readonly RouteOfEntity[],
  facts: RouteFacts,
  findCountry: PayeeOptions['findCountry'],
): Promise<RouteOutcome<RouteOfEntity>> {
  const outcome = firstRoute(routes, facts)
  if (outcome !== 'UNDECIDED' || facts.country !== undefined || !findCountry) return outcome
  return firstRoute(routes, { ...facts, country: await findCountry() })
}

/** A route whose connection was disabled after it was written lets any processor take the payment. */
async function isDisabled(
  db: Db | Tx,
  instance: RoutedInstance,
  processor: string | null,
): Promise<boolean> {
  if (processor === null) return false
  const connection = await db
    .selectFrom('processor_connections')
    .select('status')
    .where('id', '=', processor)
    .where('instance_id', '=', instance.id)
    .executeTakeFirst()
  return connection === undefined || connection.status === 'DISABLED'
}
