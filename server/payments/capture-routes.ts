import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { captureList, payment } from '../../shared/schemas/payment.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { Route, Router } from '../http/router.ts'
import { CAPTURE_FILTERS } from './filters.ts'
import { getPayment, listPayments, serializePayments } from './store.ts'

/** `/captures`: reading them; they are made at their authorisation (contract section 20). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

const list = {
  method: 'get',
  path: '/captures',
  tag: 'captures',
  summary: 'List captures',
  description:
    'Lists the captures that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(CAPTURE_FILTERS),
  responses: { 200: z.strictObject({ captures: captureList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/captures/:id',
  tag: 'captures',
  summary: 'Get a capture',
  description: 'Returns the capture with this id.',
  params: z.object({ id: z.string() }),
  query: z.object({ expand: expandParameter }),
  responses: { 200: z.strictObject({ capture: payment }), ...failures },
} as const satisfies Route

export function captureRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, CAPTURE_FILTERS)
    const expansion = { kind: 'payment', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'captures',
      asked,
      read: (turn) => listPayments(turn, instanceId, ['CAPTURE'], asked),
      records: async (some) =>
        deps.expand(expansion, await serializePayments(deps.db, some, deps.now())),
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const capture = await readExpanded(
      deps.expand,
      { kind: 'payment', instanceId, expand: query.expand },
      async () => {
        if (!/^ca_[0-9a-z_]+$/.test(id)) throw notFound('Payment')
        return getPayment(deps.db, instanceId, id, deps.now())
      },
    )
    return c.json({ capture })
  })
}
