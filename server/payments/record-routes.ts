import { z } from 'zod'
import { CAPTURE_ID } from '../../shared/rules/ids.ts'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { decideRefund as decideBody } from '../../shared/schemas/payment-request.ts'
import { payment } from '../../shared/schemas/payment.ts'
import { refund, refundResponse } from '../../shared/schemas/refund.ts'
import { reversal } from '../../shared/schemas/reversal.ts'
import { voided } from '../../shared/schemas/void.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Route, Router } from '../http/router.ts'
import { CAPTURE_FILTERS, REFUND_FILTERS, REVERSAL_FILTERS, VOID_FILTERS } from './filters.ts'
import { getRefund, listRefunds, serializeRefund } from './refunds.ts'
import { resolveManualRefund } from './resolve-manual-refund.ts'
import { getReversal, listReversals, serializeReversal } from './reversals.ts'
import { getPayment, listPayments, serializePayments } from './store.ts'
import { getVoid, listVoids, serializeVoid } from './voids.ts'

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

const params = z.object({ id: z.string() })

const decide = {
  method: 'put',
  path: '/refunds/:id',
  tag: 'refunds',
  operation: 'resolve_refund',
  summary: 'Resolve a manual refund',
  description:
    'Records the outcome of a manual refund, which the processor cannot make. A refund ' +
    'that the processor makes is rejected.',
  params,
  body: decideBody,
  responses: { 200: refundResponse, ...commonErrors },
} as const satisfies Route

/** `/refunds`: reading, and resolving manual refunds. */
export function refundRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['refund', 'refunds'],
    schema: refund,
    params,
    filters: REFUND_FILTERS,
    sum: { amount: 'refunds.amount', currency: 'refunds.currency' },
    list: listRefunds,
    get: async (instanceId, id) => serializeRefund(await getRefund(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeRefund),
  })

  router.on(decide, async (c, { params: { id }, body }) => {
    const { status } = body.refund
    const decided = await resolveManualRefund(deps, c.get('instance'), id, status, c.get('actor'))
    return c.json({ refund: serializeRefund(decided) })
  })
}

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
