import { voided } from '../../shared/schemas/void.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Router } from '../http/router.ts'
import { VOID_FILTERS } from './filters.ts'
import { getVoid, listVoids, serializeVoid } from './voids.ts'

/** `/voids`. Voids are created at `/payments/{id}/void`. */

export function voidRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['void', 'voids'],
    schema: voided,
    filters: VOID_FILTERS,
    list: listVoids,
    get: async (instanceId, id) => serializeVoid(await getVoid(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeVoid),
  })
}
