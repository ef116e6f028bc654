import { z } from 'zod'
import {
  accountAnswer,
  accountList,
  createAccount as createBody,
} from '../../shared/schemas/account.ts'
import { updateAccount as updateBody } from '../../shared/schemas/account.ts'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import type { Deps } from '../deps.ts'
import type { Route, Router } from '../http/router.ts'
import { listMeta, listParameters, metaOf, readList } from '../http/list.ts'
import { ACCOUNT_FIELDS } from './fields.ts'
import { accountOfPath } from './find.ts'
import { accountRecord, listAccounts } from './store.ts'
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
  summary: 'Make an account',
  body: createBody,
  responses: { 200: accountAnswer, ...failures },
} as const satisfies Route

const list = {
  method: 'get',
  path: '/accounts',
  tag: 'accounts',
  summary: 'List accounts',
  query: z.object(listParameters),
  responses: { 200: z.strictObject({ accounts: accountList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/accounts/:account_id',
  tag: 'accounts',
  summary: 'Read an account by its id or crm_key',
  params,
  responses: { 200: accountAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/accounts/:account_id',
  tag: 'accounts',
  summary: 'Change an account',
  params,
  body: updateBody,
  responses: { 200: accountAnswer, 409: nestedError, ...failures },
} as const satisfies Route

export function accountRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const account = await createAccount(deps, c.get('instance').id, body.account)
    return c.json({ account: accountRecord(account) })
  })

  router.on(list, async (c, { query }) => {
    const asked = readList(query, ACCOUNT_FIELDS)
    const { rows, total } = await listAccounts(deps.db, c.get('instance').id, asked)
    return c.json({ accounts: rows.map(accountRecord), meta: metaOf(asked, total) })
  })

  router.on(read, async (c, { params: { account_id: named } }) => {
    const account = await accountOfPath(deps.db, c.get('instance').id, named)
    return c.json({ account: accountRecord(account) })
  })

  router.on(update, async (c, { params: { account_id: named }, body }) => {
    const account = await changeAccount(deps, c.get('instance').id, named, body.account)
    return c.json({ account: accountRecord(account) })
  })
}
