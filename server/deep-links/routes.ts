import { z } from 'zod'
import {
  createDeepLinkRequest,
  deepLink,
  deepLinkResponse,
  updateDeepLinkRequest,
} from '../../shared/schemas/deep-link.ts'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import type { Deps } from '../deps.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { readIfMatch } from '../http/if-match.ts'
import { idempotent } from '../http/idempotency.ts'
import { restrictedCaller, type Route, type Router } from '../http/router.ts'
import { archiveDeepLink } from './archive.ts'
import { changeDeepLink } from './change.ts'
import { createDeepLink } from './create.ts'
import { deepLinkFilters } from './filters.ts'
import { deepLinkPaymentLinkRoutes } from './payment-link-routes.ts'
import { serializeDeepLink } from './serialize.ts'
import { listDeepLinks, lookupDeepLink } from './store.ts'
import { hiddenActions, requireTask } from './task-permissions.ts'

const tag = 'deep-links'
const params = z.object({ id: z.string().meta({ description: 'Deep link id or slug.' }) })

const create = {
  method: 'post',
  path: '/deep_links',
  tag,
  summary: 'Create a deep link',
  description:
    'Creates a link that several payers can pay (PAY), or that leads a customer to one task. A link to ' +
    'save a method needs the permission `accounts:write`, too, and one to manage a contract ' +
    '`charges:write`; callers without it do not see such links.',
  body: createDeepLinkRequest,
  responses: { 200: deepLinkResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/deep_links/:id',
  tag,
  summary: 'Update a deep link',
  description:
    'Changes the given members and keeps all others; null clears one. Payers with the page open ' +
    'see new options before they pay.',
  params,
  body: updateDeepLinkRequest,
  responses: { 200: deepLinkResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const archive = {
  method: 'delete',
  path: '/deep_links/:id',
  tag,
  operation: 'archive_deep_link',
  summary: 'Archive a deep link',
  description:
    'Archives a deep link, so that it cannot be opened or used any more, and ends its open ' +
    'sessions.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

/** Closes the open sessions of a deep link. */
export type CloseSessions = (deps: Deps, deepLinkId: string) => Promise<void>

export function deepLinkRoutes(router: Router, deps: Deps, closeSessions: CloseSessions): void {
  const at = () => ({ now: deps.now(), baseUrl: deps.config.baseUrl })

  router.on(create, async (c, { body }) => {
    requireTask(restrictedCaller(c), body.deep_link.action ?? 'PAY')
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => ({
      deep_link: await createDeepLink(deps, c.get('instance'), body.deep_link, by),
    }))
  })

  collectionRoutes(router, deps, {
    name: ['deep_link', 'deep_links'],
    schema: deepLink,
    params,
    description: {
      list:
        'Lists the deep links that match the criteria, newest first by default. Archived links ' +
        'are omitted unless the criteria name archived.',
      get: 'Returns the deep link with this id or slug.',
    },
    filters: deepLinkFilters,
    list: (turn, instanceId, list, caller) =>
      listDeepLinks(turn, instanceId, list, hiddenActions(caller)),
    get: async (instanceId, idOrSlug, caller) => {
      const link = await lookupDeepLink(deps.db, instanceId, idOrSlug)
      requireTask(caller, link.action)
      return serializeDeepLink(link, at())
    },
    serialize: (rows) => rows.map((row) => serializeDeepLink(row, at())),
  })

  deepLinkPaymentLinkRoutes(router, deps)

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const { mode = 'REPLACE', deep_link: change } = body
    const request = { change, mode, by, ifMatch: readIfMatch(c) }
    const changed = await changeDeepLink(deps, c.get('instance'), params.id, request)
    return c.json({ deep_link: changed })
  })

  router.on(archive, async (c, { params }) => {
    const by = await callerActorSession(deps, c)
    const target = { idOrSlug: params.id, by }
    await closeSessions(deps, await archiveDeepLink(deps, c.get('instance').id, target))
    return c.body(null, 204)
  })
}
