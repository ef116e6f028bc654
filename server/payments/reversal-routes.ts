import { reversal } from '../../shared/schemas/reversal.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Router } from '../http/router.ts'
import { REVERSAL_FILTERS } from './filters.ts'
import { getReversal, listReversals, serializeReversal } from './reversals.ts'

/** `/reversals` is read-only, because disputes are decided at the processor. */
export function reversalRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['reversal', 'reversals'],
    schema: reversal,
    filters: REVERSAL_FILTERS,
    list: listReversals,
    get: async (instanceId, id) => serializeReversal(await getReversal(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeReversal),
  })
}
