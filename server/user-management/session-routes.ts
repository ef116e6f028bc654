import { z } from 'zod'
import { formatInstant } from '../../shared/rules/time.ts'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import type { AuditDetail } from '../../shared/schemas/audit.ts'
import { userSession } from '../../shared/schemas/user-session.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { type AppContext, restrictedCaller, type Route, type Router } from '../http/router.ts'
import { requireOne, type RestrictedCaller } from '../http/scopes.ts'
import { invalid } from '../errors.ts'
import { deleteUserSessions } from '../users/store.ts'
import { auditOf, requestManager, requireReach, viewerOf } from './caller.ts'
import { USER_SESSION_FILTERS } from './filters.ts'
import { serializeUserSession } from './serialize.ts'
import { getUser, getUserSession, instanceIds, readUserSessions, type SessionsOf } from './store.ts'

const tag = 'user-sessions'
const params = z.object({ id: z.string() })

const remove = {
  method: 'delete',
  path: '/user_sessions/:id',
  tag,
  operation: 'end_user_session',
  summary: 'End a session',
  description: 'Signs a user out in one browser, at once.',
  params,
  byArea: true,
  withoutSecondFactor: true,
  responses: { 204: null, ...commonErrors },
} as const satisfies Route

const removeAll = {
  method: 'delete',
  path: '/user_sessions',
  tag,
  operation: 'end_user_sessions',
  summary: 'End sessions of a user',
  description:
    'Signs a user out everywhere. Without `user`, or with yourself, the session of this request goes on.',
  query: z.object({
    user: z
      .string()
      .optional()
      .meta({ description: 'Id of the user; yourself without it. A secret key must name one.' }),
  }),
  byArea: true,
  withoutSecondFactor: true,
  responses: { 204: null, ...commonErrors },
} as const satisfies Route

/** `/user_sessions`: everyone's own, and with the permissions of users those of others. */
export function userSessionRoutes(router: Router, deps: Deps): void {
  /** Sessions end by themselves at their expiry, and after a time without a request. */
  const at = () => ({
    now: formatInstant(deps.realNow()),
    seenAfter: formatInstant(deps.realNow() - deps.config.consoleIdleMs),
  })

  collectionRoutes(router, deps, {
    name: ['user_session', 'user_sessions'],
    byArea: true,
    schema: userSession,
    params,
    description: {
      list:
        'Lists the sessions that have not ended, newest first by default: your own, and with the ' +
        'permission `users:read` those of the users that you see.',
      get: 'Returns a session that has not ended.',
    },
    filters: USER_SESSION_FILTERS,
    list: (turn, instanceId, list, caller) =>
      readUserSessions(turn, visible(instanceId, caller, 'users:read'), at(), list),
    get: async (instanceId, id, caller) =>
      serializeUserSession(
        await getUserSession(deps.db, visible(instanceId, caller, 'users:read'), at(), id),
        caller?.user?.sessionId,
      ),
    serialize: (rows, { caller }) =>
      rows.map((row) => serializeUserSession(row, caller?.user?.sessionId)),
  })

  router.on(remove, async (c, { params: { id } }) => {
    const caller = restrictedCaller(c)
    const whose = visible(c.get('instance').id, caller, 'users:write')
    const session = await getUserSession(deps.db, whose, at(), id)
    await requireManageable(c, session.user_id)
    await inTransaction(deps.db, async (tx) => {
      await tx.deleteFrom('user_sessions').where('id', '=', session.id).execute()
      await auditEnd(tx, c, session.user_id, { session: session.id })
    })
    return c.body(null, 204)
  })

  router.on(removeAll, async (c, { query }) => {
    const caller = restrictedCaller(c)
    const own = caller?.user
    const userId = query.user ?? own?.id
    const whose = visible(c.get('instance').id, caller, 'users:write')
    if (userId === undefined) throw invalid('user', 'must be the id of a user')
    if (userId !== own?.id) {
      if (whose.userId !== undefined && caller) requireOne(caller, 'users:write')
      await requireManageable(c, (await getUser(deps.db, whose.viewer, userId)).id)
    }
    const current = userId === own?.id ? own.sessionId : undefined
    await inTransaction(deps.db, async (tx) => {
      await deleteUserSessions(tx, userId, current)
      await auditEnd(tx, c, userId)
    })
    return c.body(null, 204)
  })

  async function auditEnd(tx: Tx, c: AppContext, userId: string, detail: AuditDetail = {}) {
    const entry = auditOf(requestManager(c), { id: userId }, deps.realNow())
    await recordAudit(tx, { ...entry, action: 'session.ended', detail })
  }

  /** Throws a 403 ApiError for another user who can open more instances than the caller. */
  async function requireManageable(c: AppContext, userId: string): Promise<void> {
    const viewer = viewerOf(c.get('instance').id, restrictedCaller(c))
    if (userId === restrictedCaller(c)?.user?.id) return
    const user = await getUser(deps.db, viewer, userId)
    requireReach(viewer, instanceIds(user), 'This user can open instances that you cannot open')
  }
}

/** Returns the sessions that a caller may read or end. Throws a 403 ApiError for one without any. */
function visible(
  instanceId: string,
  caller: RestrictedCaller | undefined,
  needed: 'users:read' | 'users:write',
): SessionsOf {
  const viewer = viewerOf(instanceId, caller)
  if (!caller || caller.permitted.has(needed)) return { viewer, userId: undefined }
  if (!caller.user) requireOne(caller, needed)
  return { viewer, userId: caller.user?.id }
}
