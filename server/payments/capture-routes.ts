import { payment } from '../../shared/schemas/payment.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { notFound } from '../errors.ts'
import type { Router } from '../http/router.ts'
import { CAPTURE_FILTERS } from './filters.ts'
import { getPayment, listPayments, serializePayments } from './store.ts'
import { CAPTURE_ID } from '../../shared/rules/ids.ts'

/** `/captures`. Captures are created at `/payments/{id}/capture`. */

export function captureRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['capture', 'captures'],
    kind: 'payment',
    schema: payment,
    filters: CAPTURE_FILTERS,
    list: (turn, instanceId, list) => listPayments(turn, instanceId, ['CAPTURE'], list),
    get: async (instanceId, id) => {
      if (!CAPTURE_ID.test(id)) throw notFound('Payment')
      return getPayment(deps.db, instanceId, id, deps.now())
    },
    serialize: (rows, { now }) => serializePayments(deps.db, rows, now),
  })
}
