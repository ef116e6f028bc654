import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { voidAnswer, voidList } from '../../shared/schemas/void.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { VOID_FILTERS } from './filters.ts'
import { getVoid, listVoids, serializeVoid } from './voids.ts'

/** `/voids`: reading them; they are made at their authorisation (contract section 20). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

const list = {
  method: 'get',
  path: '/voids',
  tag: 'voids',
  summary: 'List voids',
  description: 'Lists the voids that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(VOID_FILTERS),
  responses: { 200: z.strictObject({ voids: voidList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/voids/:id',
  tag: 'voids',
  summary: 'Get a void',
  description: 'Returns the void with this id.',
  params: z.object({ id: z.string() }),
  query: z.object({ expand: expandParameter }),
  responses: { 200: voidAnswer, ...failures },
} as const satisfies Route

export function voidRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, VOID_FILTERS)
    const expansion = { kind: 'void', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'voids',
      asked,
      read: (turn) => listVoids(turn, instanceId, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeVoid)),
    })
  })

  router.on(read, async (c, { params: { id }, query }) => {
    const instanceId = c.get('instance').id
    const record = await readExpanded(
      deps.expand,
      { kind: 'void', instanceId, expand: query.expand },
      async () => serializeVoid(await getVoid(deps.db, instanceId, id)),
    )
    return c.json({ void: record })
  })
}
