import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { paymentMethodAnswer, paymentMethodList } from '../../shared/schemas/payment-method.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { paymentMethodFilters } from './filters.ts'
import { serializePaymentMethod } from './serialize.ts'
import { type AssertNotInUse, removePaymentMethod } from './remove.ts'
import { getPaymentMethod, listPaymentMethods, listPaymentMethodsInOrder } from './store.ts'

/** `/payment_methods` (contract sections 12 and 20). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({ id: z.string() })

const list = {
  method: 'get',
  path: '/payment_methods',
  tag: 'payment-methods',
  summary: 'List payment methods',
  description:
    'Lists the stored payment methods that match the criteria, newest first unless order says ' +
    'otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(paymentMethodFilters(0)),
  responses: {
    200: z.strictObject({ payment_methods: paymentMethodList, meta: listMeta }),
    ...failures,
  },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/payment_methods/:id',
  tag: 'payment-methods',
  summary: 'Get a payment method',
  description:
    'Returns a stored payment method. Card numbers are never stored; brand, last four digits ' +
    'and expiry date are.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: paymentMethodAnswer, ...failures },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/payment_methods/:id',
  tag: 'payment-methods',
  operation: 'remove_payment_method',
  summary: 'Remove a payment method',
  description:
    'Removes a stored payment method. It cannot be charged any more, and its record stays with ' +
    'the status REMOVED. It is refused while a contract or charge is still to be collected from ' +
    'the method.',
  params,
  responses: { 204: null, 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

export function paymentMethodRoutes(router: Router, deps: Deps, refuseInUse: AssertNotInUse): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const now = deps.now()
    const asked = parseListQuery(query, paymentMethodFilters(now))
    const expansion = { kind: 'payment_method', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'payment_methods',
      asked,
      read: (turn) => listPaymentMethods(turn, instanceId, asked),
      records: async (some) => {
        const ids = some.map(({ id }) => id)
        const methods = await listPaymentMethodsInOrder(deps.db, instanceId, ids, now)
        return deps.expand(expansion, methods.map(serializePaymentMethod))
      },
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const payment_method = await readExpanded(
      deps.expand,
      { kind: 'payment_method', instanceId, expand: query.expand },
      () => getPaymentMethod(deps.db, instanceId, id, deps.now()),
    )
    return c.json({ payment_method })
  })

  router.on(remove, async (c, { params: { id } }) => {
    await removePaymentMethod(deps, c.get('instance').id, id, refuseInUse)
    return c.body(null, 204)
  })
}
