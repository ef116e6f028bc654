import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/error-bodies.ts'
import { paymentMethod } from '../../shared/schemas/payment-method.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import type { Route, Router } from '../http/router.ts'
import { paymentMethodFilters } from './filters.ts'
import { serializePaymentMethod } from './serialize.ts'
import { type AssertNotInUse, removePaymentMethod } from './remove.ts'
import { getPaymentMethod, listPaymentMethods, listPaymentMethodsInOrder } from './store.ts'

const params = z.object({ id: z.string() })

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

export function paymentMethodRoutes(
  router: Router,
  deps: Deps,
  assertNotInUse: AssertNotInUse,
): void {
  collectionRoutes(router, deps, {
    name: ['payment_method', 'payment_methods'],
    schema: paymentMethod,
    params,
    description: {
      list: 'Lists the stored payment methods that match the criteria, newest first by default.',
      get:
        'Returns a stored payment method. Card numbers are never stored; brand, last four digits ' +
        'and expiry date are.',
    },
    filters: paymentMethodFilters,
    list: listPaymentMethods,
    get: async (instanceId, id) =>
      serializePaymentMethod(await getPaymentMethod(deps.db, instanceId, id, deps.now())),
    serialize: async (rows, { instance, now }) => {
      const ids = rows.map(({ id }) => id)
      const methods = await listPaymentMethodsInOrder(deps.db, instance.id, ids, now)
      return methods.map(serializePaymentMethod)
    },
  })

  router.on(remove, async (c, { params: { id } }) => {
    await removePaymentMethod(deps, c.get('instance').id, id, assertNotInUse)
    return c.body(null, 204)
  })
}
