import { z } from 'zod'
import {
  createLegalEntityRouteRequest as createBody,
  legalEntityRoute,
  legalEntityRouteResponse,
  legalEntityRoutesResponse,
  replaceLegalEntityRoutesRequest as replaceBody,
  resolveLegalEntityRequest as resolveBody,
  resolveLegalEntityResponse,
  type ResolveRequest,
  updateLegalEntityRouteRequest as updateBody,
} from '../../shared/schemas/legal-entity-route.ts'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import type { RouteFacts } from '../../shared/rules/legal-entity-route.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { parseMinorUnits } from '../amount.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotent, idempotentRepeatable } from '../http/idempotency.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { Route, Router } from '../http/router.ts'
import { serializeLegalEntity } from '../legal-entities/serialize.ts'
import { changeRoute, createRoute, deleteRoute, replaceRoutes } from './change.ts'
import { ROUTE_FILTERS } from './filters.ts'
import { resolvePayee } from './resolve.ts'
import { serializeRoute } from './serialize.ts'
import { getRoute, listRoutes } from './store.ts'

const tag = 'legal-entity-routes'
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/legal_entity_routes',
  tag,
  summary: 'Create a legal entity route',
  description:
    'Adds a route at its position, or at the end. The first route whose conditions hold decides to ' +
    'whom a payment belongs; without one it is the default legal entity.',
  body: createBody,
  responses: { 200: legalEntityRouteResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const replace = {
  method: 'put',
  path: '/legal_entity_routes',
  tag,
  operation: 'replace_legal_entity_routes',
  summary: 'Replace all legal entity routes',
  description:
    'Makes the given routes, in the given order, the only ones, all at once. A route with the id of ' +
    'a present one keeps it.',
  body: replaceBody,
  responses: { 200: legalEntityRoutesResponse, ...commonErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/legal_entity_routes/:id',
  tag,
  summary: 'Update a legal entity route',
  description: 'Changes the given members. A new position moves the routes between.',
  params,
  body: updateBody,
  responses: { 200: legalEntityRouteResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/legal_entity_routes/:id',
  tag,
  summary: 'Delete a legal entity route',
  description: 'Deletes a route; those behind it move up. Payments keep their legal entity.',
  params,
  responses: {
    204: null,
    400: nestedError,
    401: flatError,
    404: nestedError,
    409: nestedError,
    500: nestedError,
  },
} as const satisfies Route

const resolve = {
  method: 'post',
  path: '/legal_entity_routes/resolve',
  tag,
  operation: 'resolve_legal_entity',
  summary: 'Resolve a legal entity',
  description:
    'Returns the legal entity that a payment would belong to, and the route that decides. Changes ' +
    'nothing.',
  body: resolveBody,
  responses: { 200: resolveLegalEntityResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function legalEntityRouteRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const caller = { instanceId: c.get('instance').id, by: await callerActorSession(deps, c) }
    return idempotent(deps, c, async (deps) => ({
      legal_entity_route: serializeRoute(await createRoute(deps, caller, body.legal_entity_route)),
    }))
  })

  router.on(resolve, async (c, { body: { payment } }) =>
    idempotentRepeatable(deps, c, async () => {
      const instance = c.get('instance')
      const payee = await resolvePayee(deps, instance, factsOf(instance, payment))
      // Every fact is known or null here.
      const found = typeof payee === 'object' ? payee : undefined
      return {
        legal_entity: found ? serializeLegalEntity(found.entity) : null,
        legal_entity_route: found?.route ? serializeRoute(found.route) : null,
      }
    }),
  )

  collectionRoutes(router, deps, {
    name: ['legal_entity_route', 'legal_entity_routes'],
    schema: legalEntityRoute,
    description: { list: 'Lists the routes that match the criteria, by position by default.' },
    order: 'position',
    filters: ROUTE_FILTERS,
    list: listRoutes,
    get: async (instanceId, id) => serializeRoute(await getRoute(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeRoute),
  })

  router.on(replace, async (c, { body }) => {
    const caller = { instanceId: c.get('instance').id, by: await callerActorSession(deps, c) }
    const routes = await replaceRoutes(deps, caller, body.legal_entity_routes)
    return c.json({ legal_entity_routes: routes.map(serializeRoute) })
  })

  router.on(update, async (c, { params: { id }, body }) => {
    const caller = { instanceId: c.get('instance').id, by: await callerActorSession(deps, c) }
    const request = { change: body.legal_entity_route, ifMatch: readIfMatch(c) }
    const route = await changeRoute(deps, caller, id, request)
    return c.json({ legal_entity_route: serializeRoute(route) })
  })

  router.on(remove, async (c, { params: { id } }) => {
    const caller = { instanceId: c.get('instance').id, by: await callerActorSession(deps, c) }
    await deleteRoute(deps, caller, id, readIfMatch(c))
    return c.body(null, 204)
  })
}

function factsOf(instance: Instance, payment: ResolveRequest): RouteFacts {
  const currency = payment.currency ?? instance.default_currency
  const { amount, country = null, channel = null, branding = null } = payment
  return {
    currency,
    country,
    channel,
    branding,
    source: payment.source ?? 'ECOMMERCE',
    account_tags: payment.account_tag ?? [],
    amount: amount === undefined ? null : parseMinorUnits('payment.amount', amount, currency),
    processor: payment.processor,
  }
}
