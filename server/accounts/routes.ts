import { z } from 'zod'
import {
  accountAnswer,
  accountList,
  createAccount as createBody,
  updateAccount as updateBody,
} from '../../shared/schemas/account.ts'
import { flatError, nestedError, repeatFailures } from '../../shared/schemas/errors.ts'
import type { Deps } from '../deps.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { readIfMatch } from '../http/if-match.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { ACCOUNT_FILTERS } from './filters.ts'
import { lookupAccount } from './lookup.ts'
import { serializeAccount, listAccounts } from './store.ts'
import { changeAccount, createAccount } from './write.ts'

/** `/accounts` (specification: Accounts). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
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
  responses: { 200: accountAnswer, ...failures, ...repeatFailures },
} as const satisfies Route

const list = {
  method: 'get',
  path: '/accounts',
  tag: 'accounts',
  summary: 'List accounts',
  description:
    'Lists the accounts that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(ACCOUNT_FILTERS),
  responses: { 200: z.strictObject({ accounts: accountList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/accounts/:account_id',
  tag: 'accounts',
  summary: 'Get an account',
  description:
    'Returns the account with this id or crm_key. Of several accounts with the same crm_key it ' +
    'is the one that was updated last.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: accountAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/accounts/:account_id',
  tag: 'accounts',
  summary: 'Update an account',
  description:
    'Changes the members that are given and keeps all others. null clears a member. The crm_key ' +
    'cannot be changed.',
  params,
  body: updateBody,
  responses: { 200: accountAnswer, 409: nestedError, ...failures },
} as const satisfies Route

export function accountRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => {
      const account = await createAccount(deps, c.get('instance').id, body.account, by)
      return { account: serializeAccount(account) }
    })
  })

  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, ACCOUNT_FILTERS)
    const expansion = { kind: 'account', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'accounts',
      asked,
      read: (turn) => listAccounts(turn, instanceId, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeAccount)),
    })
  })

  router.on(read, async (c, { params: { account_id: named }, query }) => {
    const instanceId = c.get('instance').id
    const account = await readExpanded(
      deps.expand,
      { kind: 'account', instanceId, expand: query.expand },
      async () => serializeAccount(await lookupAccount(deps.db, instanceId, named)),
    )
    return c.json({ account })
  })

  router.on(update, async (c, { params: { account_id: named }, body }) => {
    const by = await callerActorSession(deps, c)
    const request = { change: body.account, by, ifMatch: readIfMatch(c) }
    const account = await changeAccount(deps, c.get('instance').id, named, request)
    return c.json({ account: serializeAccount(account) })
  })
}
