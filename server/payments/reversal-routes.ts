import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { reversalAnswer, reversalList } from '../../shared/schemas/reversal.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { REVERSAL_FILTERS } from './filters.ts'
import { getReversal, listReversals, serializeReversal } from './reversals.ts'

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

const list = {
  method: 'get',
  path: '/reversals',
  tag: 'reversals',
  summary: 'List reversals',
  description:
    'Lists the reversals that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(REVERSAL_FILTERS),
  responses: { 200: z.strictObject({ reversals: reversalList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/reversals/:id',
  tag: 'reversals',
  summary: 'Get a reversal',
  description: 'Returns the reversal with this id.',
  params: z.object({ id: z.string() }),
  query: z.object({ expand: expandParameter }),
  responses: { 200: reversalAnswer, ...failures },
} as const satisfies Route

/** Mounts `/reversals`, which is only read: what becomes of a dispute is decided at the processor. */
export function reversalRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, REVERSAL_FILTERS)
    const expansion = { kind: 'reversal', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'reversals',
      asked,
      read: (turn) => listReversals(turn, instanceId, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeReversal)),
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const record = await readExpanded(
      deps.expand,
      { kind: 'reversal', instanceId, expand: query.expand },
      async () => serializeReversal(await getReversal(deps.db, instanceId, id)),
    )
    return c.json({ reversal: record })
  })
}
