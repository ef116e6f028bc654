import { z } from 'zod'
import { commonErrors, idempotencyErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import {
  createUserRequest as createBody,
  sendInvitationRequest as invitationBody,
  updateUserRequest as updateBody,
  user,
  userResponse,
} from '../../shared/schemas/user.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotent } from '../http/idempotency.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { requestManager, viewerOf } from './caller.ts'
import { changeUser, removeUser } from './change.ts'
import { USER_FILTERS } from './filters.ts'
import { type Invited, inviteAgain, inviteUser } from './invite.ts'
import { serializeUser, serializeUsers } from './serialize.ts'
import { getUser, readUsers } from './store.ts'

const tag = 'users'
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/users',
  tag,
  operation: 'invite_user',
  summary: 'Invite a user',
  description:
    'Creates a user of the merchant and mails them a one-time link at which they choose a password. ' +
    'It works for seven days. A server that sends no mail returns the link, once. You cannot give ' +
    'access to instances that you cannot open yourself; a secret key opens its own instance only.',
  body: createBody,
  stepUp: true,
  responses: { 200: userResponse, 429: nestedError, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/users/:id',
  tag,
  summary: 'Update a user',
  description:
    'Changes the given members of a user and keeps the others. Another role or other instances, and ' +
    'disabling, sign the user out everywhere and end the access of platforms that they approved. Your ' +
    'own access is changed by another owner, and the last owner of all instances stays one.',
  params,
  body: updateBody,
  stepUp: true,
  responses: { 200: userResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/users/:id',
  tag,
  operation: 'remove_user',
  summary: 'Remove a user',
  description:
    'Removes a user, signs them out everywhere and ends the access of platforms that they approved. ' +
    'Their email can be invited again. The last owner of all instances cannot be removed, and you ' +
    'cannot remove yourself.',
  params,
  stepUp: true,
  responses: { 204: null, 409: nestedError, ...commonErrors },
} as const satisfies Route

const invite = {
  method: 'post',
  path: '/users/:id/invitation',
  tag,
  operation: 'send_user_invitation',
  summary: 'Send an invitation again',
  description:
    'Sends a new one-time link, after which earlier ones no longer work. A user who has a password ' +
    'keeps it until they choose another one at the link.',
  params,
  body: invitationBody,
  bodyOptional: true,
  stepUp: true,
  responses: {
    200: userResponse,
    409: nestedError,
    422: nestedError,
    429: nestedError,
    ...commonErrors,
  },
} as const satisfies Route

/** `/users`: who works for the merchant. No token and no key with scopes reaches them. */
export function userManagementRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const caller = requestManager(c)
    return answerInvited(c, (tx) => inviteUser(tx, c.get('instance'), caller, body.user))
  })

  collectionRoutes(router, deps, {
    name: ['user', 'users'],
    schema: user,
    params,
    description: {
      list: 'Lists the users of the merchant that can open an instance that you can open, newest first by default.',
      get: 'Returns a user.',
    },
    filters: USER_FILTERS,
    list: (turn, instanceId, list, caller) => readUsers(turn, viewerOf(instanceId, caller), list),
    get: async (instanceId, id, caller) =>
      serializeUser(deps.db, await getUser(deps.db, viewerOf(instanceId, caller), id)),
    serialize: (rows) => serializeUsers(deps.db, rows),
  })

  router.on(update, async (c, { params: { id }, body }) => {
    const aim = { id, ifMatch: readIfMatch(c) }
    const changed = await changeUser(deps, requestManager(c), aim, body.user)
    return c.json({ user: await serializeUser(deps.db, changed) })
  })

  router.on(remove, async (c, { params: { id } }) => {
    await removeUser(deps, requestManager(c), { id, ifMatch: readIfMatch(c) })
    return c.body(null, 204)
  })

  router.on(invite, (c, { params: { id } }) => {
    const aim = { id, ifMatch: readIfMatch(c) }
    const caller = requestManager(c)
    return answerInvited(c, (tx) => inviteAgain(tx, c.get('instance'), caller, aim))
  })

  /** The response is stored for repeated requests, and links are not stored. */
  async function answerInvited(
    c: AppContext,
    act: (deps: Omit<Deps, 'db'> & { db: Tx }) => Promise<Invited>,
  ): Promise<Response> {
    let url: string | undefined
    const response = await idempotent(deps, c, async (inside) => {
      const invited = await act({ ...inside, db: inside.db as Tx })
      url = invited.url
      return { user: await serializeUser(inside.db, invited.user) }
    })
    if (url === undefined || response.headers.has('Idempotent-Replayed')) return response
    const stored = (await response.json()) as z.output<typeof userResponse>
    const invitation = { expires: '', ...stored.user.invitation, url }
    return c.json({ user: { ...stored.user, invitation } })
  }
}
