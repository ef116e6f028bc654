import { z } from 'zod'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { decideRefund as decideBody } from '../../shared/schemas/payment-request.ts'
import { refund, refundResponse } from '../../shared/schemas/refund.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Route, Router } from '../http/router.ts'
import { REFUND_FILTERS } from './filters.ts'
import { resolveManualRefund } from './resolve-manual-refund.ts'
import { getRefund, listRefunds, serializeRefund } from './refunds.ts'

/** `/refunds`: reading, and resolving manual refunds. */

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

export function refundRoutes(router: Router, deps: Deps): void {
  collectionRoutes(router, deps, {
    name: ['refund', 'refunds'],
    schema: refund,
    params,
    filters: REFUND_FILTERS,
    list: listRefunds,
    get: async (instanceId, id) => serializeRefund(await getRefund(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeRefund),
  })

  router.on(decide, async (c, { params: { id }, body }) => {
    const decided = await resolveManualRefund(deps, c.get('instance'), id, body.refund.status)
    return c.json({ refund: serializeRefund(decided) })
  })
}
