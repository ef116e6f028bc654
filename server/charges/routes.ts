import { z } from 'zod'
import { charge, chargeResponse, updateChargeRequest } from '../../shared/schemas/charge.ts'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { Route, Router } from '../http/router.ts'
import { changeCharge, type SyncScheduledPayment } from './change.ts'
import { CHARGE_FILTERS } from './filters.ts'
import { serializeCharge } from './serialize.ts'
import { listCharges, lookupCharge } from './store.ts'

/** `/charges`. Charges are created by scheduled and recurring payments. */

const params = z.object({ charge_id: z.string().meta({ description: 'Charge id or alt_key.' }) })

const update = {
  method: 'put',
  path: '/charges/:charge_id',
  tag: 'charges',
  summary: 'Update a charge',
  description:
    'Changes the amount or the due date of a charge, writes it off (WRITTENOFF) or makes it ' +
    'collectable again (ACTIVE). A charge whose due date has passed may be collected at once.',
  params,
  body: updateChargeRequest,
  responses: { 200: chargeResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

export function chargeRoutes(router: Router, deps: Deps, follow: SyncScheduledPayment): void {
  collectionRoutes(router, deps, {
    name: ['charge', 'charges'],
    schema: charge,
    params,
    description: { get: 'Returns the charge with this id, or the newest one with this alt_key.' },
    filters: CHARGE_FILTERS,
    sum: { amount: 'charges.amount', currency: 'charges.currency' },
    list: listCharges,
    get: async (instanceId, idOrKey) =>
      serializeCharge(await lookupCharge(deps.db, instanceId, idOrKey)),
    serialize: (rows) => rows.map(serializeCharge),
  })

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const target = { instanceId: c.get('instance').id, idOrKey: params.charge_id }
    const request = { change: body.charge, by, ifMatch: readIfMatch(c) }
    return c.json({ charge: serializeCharge(await changeCharge(deps, target, request, follow)) })
  })
}
