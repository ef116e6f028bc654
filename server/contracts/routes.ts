import { z } from 'zod'
import { contractAnswer, contractList, updateContract } from '../../shared/schemas/contract.ts'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { readIfMatch } from '../http/if-match.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { changeContract, type ContractCharges } from './change.ts'
import { CONTRACT_FILTERS } from './filters.ts'
import { lookupContract } from './lookup.ts'
import { serializeContract } from './serialize.ts'
import { listContracts } from './store.ts'

/** `/contracts` (contract sections 11 and 20). Contracts are made by recurring payments. */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({
  contract_id: z.string().meta({ description: 'Contract id or alt_key.' }),
})

const list = {
  method: 'get',
  path: '/contracts',
  tag: 'contracts',
  summary: 'List contracts',
  description:
    'Lists the contracts that match the criteria, newest first unless order says otherwise.',
  query: z.object(listParameters),
  fields: Object.keys(CONTRACT_FILTERS),
  responses: { 200: z.strictObject({ contracts: contractList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/contracts/:contract_id',
  tag: 'contracts',
  summary: 'Get a contract',
  description: 'Returns the contract with this id, or the newest one with this alt_key.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: contractAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/contracts/:contract_id',
  tag: 'contracts',
  summary: 'Update a contract',
  description:
    'Pauses (PAUSED) or resumes (ACTIVE) a contract, or changes its description or the payment ' +
    'method that pays its charges.',
  params,
  body: updateContract,
  responses: { 200: contractAnswer, 409: nestedError, ...failures },
} as const satisfies Route

const cancel = {
  method: 'delete',
  path: '/contracts/:contract_id',
  tag: 'contracts',
  operation: 'cancel_contract',
  summary: 'Cancel a contract',
  description:
    'Cancels a contract and its unpaid charges. No further charges fall due. What was paid ' +
    'stays paid.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

export function contractRoutes(router: Router, deps: Deps, verbs: ContractCharges): void {
  router.on(list, async (c, { query }) => {
    const { id } = c.get('instance')
    const asked = parseListQuery(query, CONTRACT_FILTERS)
    const expansion = { kind: 'contract', instanceId: id, expand: query.expand }
    return listResponse(deps, c, {
      name: 'contracts',
      asked,
      read: (turn) => listContracts(turn, id, asked),
      records: async (some) => deps.expand(expansion, some.map(serializeContract)),
    })
  })

  router.on(read, async (c, { params, query }) => {
    const { id } = c.get('instance')
    const expansion = { kind: 'contract', instanceId: id, expand: query.expand }
    const contract = await readExpanded(deps.expand, expansion, async () =>
      serializeContract(await lookupContract(deps.db, id, params.contract_id)),
    )
    return c.json({ contract })
  })

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const target = { instanceId: c.get('instance').id, idOrKey: params.contract_id }
    const request = { change: body.contract, by, ifMatch: readIfMatch(c) }
    const contract = await changeContract(deps, target, request, verbs)
    return c.json({ contract: serializeContract(contract) })
  })

  router.on(cancel, async (c, { params }) => {
    const by = await callerActorSession(deps, c)
    const now = deps.now()
    await inTransaction(deps.db, async (tx) => {
      const { id } = await lookupContract(tx, c.get('instance').id, params.contract_id)
      await verbs.cancel(tx, id, now, by)
    })
    return c.body(null, 204)
  })
}
