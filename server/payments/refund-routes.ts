import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { decideRefund as decideBody } from '../../shared/schemas/payment-request.ts'
import { refundAnswer, refundList } from '../../shared/schemas/refund.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { REFUND_FILTERS } from './filters.ts'
import { resolveManualRefund } from './refund-manual.ts'
import { getRefund, listRefunds, serializeRefund } from './refunds.ts'

/** `/refunds`: reading them, and deciding those that are done by hand (contract section 20). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({ id: z.string() })

const list = {
  method: 'get',
  path: '/refunds',
  tag: 'refunds',
  summary: 'List refunds',
  description:
    'Lists the refunds that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(REFUND_FILTERS),
  responses: { 200: z.strictObject({ refunds: refundList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/refunds/:id',
  tag: 'refunds',
  summary: 'Get a refund',
  description: 'Returns the refund with this id.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: refundAnswer, ...failures },
} as const satisfies Route

const decide = {
  method: 'put',
  path: '/refunds/:id',
  tag: 'refunds',
  operation: 'resolve_refund',
  summary: 'Resolve a manual refund',
  description:
    'Records the outcome of a refund that the processor cannot make and a person makes by hand ' +
    '(manual). A refund that is made by the processor is refused.',
  params,
  body: decideBody,
  responses: { 200: refundAnswer, ...failures },
} as const satisfies Route

export function refundRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, REFUND_FILTERS)
    const expansion = { kind: 'refund', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'refunds',
      asked,
      read: (turn) => listRefunds(turn, instanceId, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeRefund)),
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const record = await readExpanded(
      deps.expand,
      { kind: 'refund', instanceId, expand: query.expand },
      async () => serializeRefund(await getRefund(deps.db, instanceId, id)),
    )
    return c.json({ refund: record })
  })

  router.on(decide, async (c, { params: { id }, body }) => {
    const decided = await resolveManualRefund(deps, c.get('instance'), id, body.refund.status)
    return c.json({ refund: serializeRefund(decided) })
  })
}
