import { checkoutRecord } from '../../shared/schemas/checkout-record.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Router } from '../http/router.ts'
import { checkoutFilters } from './filters.ts'
import { getCheckoutRecord, listCheckouts, withAttempts } from './queries.ts'
import { serializeCheckout } from './serialize.ts'

/** `/checkouts`: checkout sessions for the merchant. */

export function checkoutRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['checkout', 'checkouts'],
    title: ['checkout session', 'checkout sessions'],
    schema: checkoutRecord,
    description: {
      get: 'Returns a checkout session with its milestones and payment attempts.',
    },
    filters: checkoutFilters,
    list: listCheckouts,
    get: (instanceId, id) => getCheckoutRecord(deps.db, instanceId, id, deps.now()),
    serialize: async (rows, { instance, now }) => {
      const checkouts = await withAttempts(deps.db, instance.id, rows)
      return checkouts.map((checkout) => serializeCheckout(checkout, now))
    },
  })
}
