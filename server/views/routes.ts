import { z } from 'zod'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import {
  createViewRequest,
  view,
  type ViewRecord,
  viewResponse,
} from '../../shared/schemas/view.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { ViewRow } from '../db/tables/views.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { VIEW_FILTERS } from './filters.ts'
import { createView, deleteView, listViews } from './store.ts'

/** `/views`: views of the console's lists that all users of an instance share. */

const create = {
  method: 'post',
  path: '/views',
  tag: 'views',
  summary: 'Share a view',
  description:
    'Shares a view of a list with all users of the instance. Those of one user are in `/preferences`.',
  body: createViewRequest,
  responses: { 200: viewResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/views/:id',
  tag: 'views',
  summary: 'Delete a shared view',
  description: 'Deletes a shared view. The list and what users saved for themselves stay.',
  params: z.object({ id: z.string() }),
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

export function viewRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['view', 'views'],
    schema: view,
    description: { list: 'Lists the views that users share, newest first by default.' },
    filters: VIEW_FILTERS,
    list: listViews,
    serialize: (rows) => rows.map(serializeView),
  })
  router.on(create, async (c, { body }) => {
    const session = await callerActorSession(deps, c)
    return idempotent(deps, c, async ({ db, now }) => {
      const by = { now: now(), session }
      const made = await inTransaction(db, (tx) =>
        createView(tx, c.get('instance').id, body.view, by),
      )
      return { view: serializeView(made) }
    })
  })
  router.on(remove, async (c, { params: { id } }) => {
    await inTransaction(deps.db, (tx) => deleteView(tx, c.get('instance').id, id))
    return c.body(null, 204)
  })
}

function serializeView({ id, name, list, query, created_session, created }: ViewRow): ViewRecord {
  return { id, name, list, query, created_session, created }
}
