import { z } from 'zod'
import { checkoutAnswer, checkoutList } from '../../shared/schemas/checkout-record.ts'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { checkoutFilters } from './filters.ts'
import { getCheckoutRecord, listCheckouts, withAttempts } from './queries.ts'
import { serializeCheckout } from './serialize.ts'

/** `/checkouts`: payers' sessions as their merchant sees them (contract section 7.2). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

const list = {
  method: 'get',
  path: '/checkouts',
  tag: 'checkouts',
  summary: 'List checkout sessions',
  description:
    'Lists the checkout sessions that match the criteria, newest first unless order says ' +
    'otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(checkoutFilters(0)),
  responses: { 200: z.strictObject({ checkouts: checkoutList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/checkouts/:id',
  tag: 'checkouts',
  summary: 'Get a checkout session',
  description:
    'Returns what a payer did on a payment page: when it was opened, and which payments were ' +
    'tried.',
  params: z.object({ id: z.string() }),
  query: z.object({ expand: expandParameter }),
  responses: { 200: checkoutAnswer, ...failures },
} as const satisfies Route

export function checkoutRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const now = deps.now()
    const asked = parseListQuery(query, checkoutFilters(now))
    const expansion = { kind: 'checkout', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'checkouts',
      asked,
      read: (turn) => listCheckouts(turn, instanceId, asked),
      records: async (some) => {
        const tried = await withAttempts(deps.db, instanceId, some)
        return deps.expand(
          expansion,
          tried.map((row) => serializeCheckout(row, now)),
        )
      },
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const checkout = await readExpanded(
      deps.expand,
      { kind: 'checkout', instanceId, expand: query.expand },
      () => getCheckoutRecord(deps.db, instanceId, id, deps.now()),
    )
    return c.json({ checkout })
  })
}
