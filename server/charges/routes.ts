import { z } from 'zod'
import { chargeAnswer, chargeList, updateCharge } from '../../shared/schemas/charge.ts'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import type { Deps } from '../deps.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { readIfMatch } from '../http/if-match.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { changeCharge, type SyncScheduledPayment } from './change.ts'
import { CHARGE_FILTERS } from './filters.ts'
import { lookupCharge } from './lookup.ts'
import { serializeCharge } from './serialize.ts'
import { listCharges } from './store.ts'

/** `/charges` (specification: Charges). Charges are made by payments that are due or recur. */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({ charge_id: z.string().meta({ description: 'Charge id or alt_key.' }) })

const list = {
  method: 'get',
  path: '/charges',
  tag: 'charges',
  summary: 'List charges',
  description:
    'Lists the charges that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(CHARGE_FILTERS),
  responses: { 200: z.strictObject({ charges: chargeList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/charges/:charge_id',
  tag: 'charges',
  summary: 'Get a charge',
  description: 'Returns the charge with this id, or the newest one with this alt_key.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: chargeAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/charges/:charge_id',
  tag: 'charges',
  summary: 'Update a charge',
  description:
    'Changes the amount or the due date of a charge, writes it off (WRITTENOFF) or makes it ' +
    'collectable again (ACTIVE). A charge whose due date has passed may be collected at once.',
  params,
  body: updateCharge,
  responses: { 200: chargeAnswer, 409: nestedError, ...failures },
} as const satisfies Route

export function chargeRoutes(router: Router, deps: Deps, follow: SyncScheduledPayment): void {
  router.on(list, async (c, { query }) => {
    const { id } = c.get('instance')
    const asked = parseListQuery(query, CHARGE_FILTERS)
    const expansion = { kind: 'charge', instanceId: id, expand: query.expand }
    return listResponse(deps, c, {
      name: 'charges',
      asked,
      read: (turn) => listCharges(turn, id, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeCharge)),
    })
  })

  router.on(read, async (c, { params, query }) => {
    const { id } = c.get('instance')
    const expansion = { kind: 'charge', instanceId: id, expand: query.expand }
    const charge = await readExpanded(deps.expand, expansion, async () =>
      serializeCharge(await lookupCharge(deps.db, id, params.charge_id)),
    )
    return c.json({ charge })
  })

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const target = { instanceId: c.get('instance').id, idOrKey: params.charge_id }
    const request = { change: body.charge, by, ifMatch: readIfMatch(c) }
    return c.json({ charge: serializeCharge(await changeCharge(deps, target, request, follow)) })
  })
}
