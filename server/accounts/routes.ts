import { z } from 'zod'
import {
  account,
  accountResponse,
  createAccountRequest as createBody,
  updateAccountRequest as updateBody,
} from '../../shared/schemas/account.ts'
import { commonErrors, nestedError, idempotencyErrors } from '../../shared/schemas/error-bodies.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { readIfMatch } from '../http/if-match.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { ACCOUNT_FILTERS } from './filters.ts'
import { changeAccount } from './change.ts'
import { createAccount } from './create.ts'
import { serializeAccount } from './serialize.ts'
import { listAccounts, lookupAccount } from './store.ts'

const params = z.object({
  account_id: z.string().meta({ description: 'Account id or crm_key.' }),
})

const create = {
  method: 'post',
  path: '/accounts',
  tag: 'accounts',
  summary: 'Create an account',
  description:
    'Creates an account with the given crm_key. Several accounts may have the same crm_key; the ' +
    'one that was updated last is found by it.',
  body: createBody,
  responses: { 200: accountResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/accounts/:account_id',
  tag: 'accounts',
  summary: 'Update an account',
  description:
    'Changes the given members and keeps all others. null clears a member. The crm_key ' +
    'cannot be changed.',
  params,
  body: updateBody,
  responses: { 200: accountResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

export function accountRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => {
      const account = await createAccount(deps, c.get('instance').id, body.account, by)
      return { account: serializeAccount(account) }
    })
  })

  collectionRoutes(router, deps, {
    name: ['account', 'accounts'],
    schema: account,
    params,
    description: {
      get:
        'Returns the account with this id or crm_key. When several accounts have the crm_key, the ' +
        'most recently updated one is returned.',
    },
    filters: ACCOUNT_FILTERS,
    list: listAccounts,
    get: async (instanceId, idOrKey) =>
      serializeAccount(await lookupAccount(deps.db, instanceId, idOrKey)),
    serialize: (rows) => rows.map(serializeAccount),
  })

  router.on(update, async (c, { params: { account_id: idOrKey }, body }) => {
    const by = await callerActorSession(deps, c)
    const request = { change: body.account, by, ifMatch: readIfMatch(c) }
    const account = await changeAccount(deps, c.get('instance').id, idOrKey, request)
    return c.json({ account: serializeAccount(account) })
  })
}
