import { z } from 'zod'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import {
  createLegalEntityRequest as createBody,
  legalEntity,
  legalEntityResponse,
  updateLegalEntityRequest as updateBody,
} from '../../shared/schemas/legal-entity.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotent } from '../http/idempotency.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { Route, Router } from '../http/router.ts'
import { archiveLegalEntity } from './archive.ts'
import { changeLegalEntity } from './change.ts'
import { createLegalEntity } from './create.ts'
import { LEGAL_ENTITY_FILTERS } from './filters.ts'
import { serializeLegalEntity } from './serialize.ts'
import { listLegalEntities, lookupLegalEntity } from './store.ts'

const tag = 'legal-entities'
const params = z.object({ id: z.string().meta({ description: 'Legal entity id or alt_key.' }) })

const create = {
  method: 'post',
  path: '/legal_entities',
  tag,
  summary: 'Create a legal entity',
  description:
    'Creates a person or company that payments belong to. The first one is the default. From then ' +
    'on every new payment, charge and checkout has a legal entity, and payers see its name.',
  body: createBody,
  responses: { 200: legalEntityResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/legal_entities/:id',
  tag,
  summary: 'Update a legal entity',
  description:
    'Changes the given members and keeps all others; null clears one. What a receipt or an open ' +
    'checkout shows does not change.',
  params,
  body: updateBody,
  responses: { 200: legalEntityResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/legal_entities/:id',
  tag,
  operation: 'archive_legal_entity',
  summary: 'Archive a legal entity',
  description:
    'Archives a legal entity, which stays for its payments. Fails while it is the default, while a ' +
    'route names it, and while a contract of it is active.',
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

export function legalEntityRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => {
      const made = await createLegalEntity(deps, c.get('instance').id, body.legal_entity, by)
      return { legal_entity: serializeLegalEntity(made) }
    })
  })

  collectionRoutes(router, deps, {
    name: ['legal_entity', 'legal_entities'],
    schema: legalEntity,
    params,
    description: { get: 'Returns the legal entity with this id, or with this alt_key.' },
    filters: LEGAL_ENTITY_FILTERS,
    list: listLegalEntities,
    get: async (instanceId, idOrKey) =>
      serializeLegalEntity(await lookupLegalEntity(deps.db, instanceId, idOrKey)),
    serialize: (rows) => rows.map(serializeLegalEntity),
  })

  router.on(update, async (c, { params: { id }, body }) => {
    const by = await callerActorSession(deps, c)
    const request = { change: body.legal_entity, by, ifMatch: readIfMatch(c) }
    const changed = await changeLegalEntity(deps, c.get('instance').id, id, request)
    return c.json({ legal_entity: serializeLegalEntity(changed) })
  })

  router.on(remove, async (c, { params: { id } }) => {
    const by = await callerActorSession(deps, c)
    await archiveLegalEntity(deps, c.get('instance').id, id, { by, ifMatch: readIfMatch(c) })
    return c.body(null, 204)
  })
}
